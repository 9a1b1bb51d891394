/** A command that was typed wrong: one sentence, and where to find the right ones. */
export class UsageFault extends Error {}

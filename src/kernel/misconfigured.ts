/** A wrong setting: said in one sentence on standard error, and the process ends with 1. */
export class Misconfigured extends Error {}

/** What is wrong with a file as a whole. */
export class FileFault extends Error {}

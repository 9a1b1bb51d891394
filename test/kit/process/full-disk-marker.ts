/** A file that says that the disk is full, where the disk itself cannot say it. */
export const FULL_MARKER = 'the-disk-is-full'

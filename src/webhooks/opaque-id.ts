import { createHash } from 'node:crypto'

/**
 * The ID of something whose own ID is a key: an admission's stands in its QR code and opens the door. The same for the
 * same thing every time; whoever reads the thing over the API can compute it, and nobody can compute it back.
 */
export const opaqueIdOf = (publicId: string): string => createHash('sha256').update(publicId).digest('hex').slice(0, 32)

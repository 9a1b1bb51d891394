/** The purpose of links by which buyers come back from a provider. */
export const RETURN_LINK_PURPOSE = 'return'

/** The header fields of a request, by their names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

export type Headers = Readonly<Record<string, string | string[] | undefined>>

export const cookieHeader = (headers: Headers) => {
  const header = headers['cookie']
  return Array.isArray(header) ? header.join('; ') : header
}

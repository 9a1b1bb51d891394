/** The nonce of the answer that brought the page, for whatever writes style elements while it runs. */
export const pageNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

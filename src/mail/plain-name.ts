const PLAIN_NAME_MAX = 80

/** As somebody reads it: without characters that do not show, and wide or styled letters as plain ones. */
const asRead = (text: string) => text.replaceAll(/\p{Cf}/gu, '').normalize('NFKC')

/** Something that a mail program makes a link of because it says so itself. */
export const containsWebAddress = (text: string): boolean => /:\/\/|www\./i.test(asRead(text))

/** An address without a scheme, a mail address, a path, or a number to call. */
const MORE_THAN_A_NAME = /\.\p{L}{2,}|[@/\\]|\d[\d\s()-]{4,}/u

/**
 * Whether a name that a stranger typed can stand in a mail to somebody else: short, and nothing in it to click or to
 * call. Whoever has another name is greeted without it.
 */
export const isNameSafeInMail = (name: string): boolean =>
  name.length <= PLAIN_NAME_MAX && !containsWebAddress(name) && !MORE_THAN_A_NAME.test(asRead(name))

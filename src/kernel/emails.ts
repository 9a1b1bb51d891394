const EMAIL_MAX = 255
export const LOCAL_PART_MAX = 64

const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'

/** What stands before the @ of an address and behind it, as parts of a pattern that does not mind capitals. */
export const LOCAL_PART_PATTERN = `${ATOM}(?:\\.${ATOM})*`
export const DOMAIN_PATTERN = `(?:${LABEL}\\.)*${LABEL}`

/** A last label of digits alone would be read as an IP address, to which no mail is sent. */
const EMAIL = new RegExp(`^(${LOCAL_PART_PATTERN})@(?:${LABEL}\\.)*(?!\\d+$)${LABEL}$`, 'i')

/** An address as it is stored and compared. */
export const normalizeEmail = (text: string) => text.trim().toLowerCase()

/** Only what mail can be sent to: an accepted address that the mailer refuses would lose its tickets. */
export const isEmail = (text: string) =>
  text.length <= EMAIL_MAX && (EMAIL.exec(text)?.[1]?.length ?? Infinity) <= LOCAL_PART_MAX

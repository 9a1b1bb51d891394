const EMAIL_MAX = 255
const LOCAL_PART_MAX = 64

const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** A last label of digits alone would be read as an IP address, to which no mail is sent. */
const EMAIL = new RegExp(`^(${ATOM}(?:\\.${ATOM})*)@(?:${LABEL}\\.)*(?!\\d+$)${LABEL}$`, 'i')

/** An address as it is stored and compared. */
export const normalizeEmail = (text: string) => text.trim().toLowerCase()

/** Only what mail can be sent to: an accepted address that the mailer refuses would lose its tickets. */
export const isEmail = (text: string) =>
  text.length <= EMAIL_MAX && (EMAIL.exec(text)?.[1]?.length ?? Infinity) <= LOCAL_PART_MAX

/** The messages integrators match on: the Rails defaults, said once. */
export const BLANK_MESSAGE = "can't be blank"
export const MUST_BE_BLANK_MESSAGE = 'must be blank'
export const NOT_INCLUDED_MESSAGE = 'is not included in the list'
export const INVALID_MESSAGE = 'is invalid'
export const NOT_A_NUMBER_MESSAGE = 'is not a number'
export const NOT_AN_INTEGER_MESSAGE = 'must be an integer'
export const TAKEN_MESSAGE = 'has already been taken'
export const MUST_EXIST_MESSAGE = 'must exist'
export const CONTAINS_URL_MESSAGE = "can't contain a web address"
export const DUPLICATE_ENTRY_MESSAGE = 'has the same entry twice'
export const TOO_MANY_DECIMALS_MESSAGE = 'has too many decimals'
export const TOO_MUCH_MARKUP_MESSAGE = 'has too much markup'
export const NOT_ACCEPTED_MESSAGE = 'must be accepted'

export const tooLongMessage = (most: number) => `is too long (maximum is ${most} characters)`
export const tooShortMessage = (least: number) => `is too short (minimum is ${least} characters)`
export const atLeastMessage = (least: number | string) => `must be greater than or equal to ${least}`
export const atMostMessage = (most: number | string) => `must be less than or equal to ${most}`
export const moreThanMessage = (bound: number | string) => `must be greater than ${bound}`
export const lessThanMessage = (bound: number | string) => `must be less than ${bound}`

/** Characters as a person counts them, as far as the documents' limits go: code points, not UTF-16 units. */
export const characterCount = (text: string) => {
  let count = text.length
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0xd800 && unit <= 0xdbff) count--
  }
  return count
}

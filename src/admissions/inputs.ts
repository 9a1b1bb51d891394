import { type Field, NAME_MAX, castText, failCast, field, isEmpty } from '../http/fields.ts'
import { INVALID_MESSAGE } from '../kernel/messages.ts'
import { isCountry } from './countries.ts'

/** ISO alpha-2, in capitals whatever was sent; may be cleared. */
export const optionalCountry = (): Field<string | null> =>
  field({ type: ['string', 'null'], minLength: 2, maxLength: 2 }, (value) => {
    if (isEmpty(value)) return null
    const code = castText(value, NAME_MAX).toUpperCase()
    return code === '' || isCountry(code) ? code || null : failCast(INVALID_MESSAGE)
  })

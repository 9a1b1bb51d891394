import { isRefusal } from '../../api/client.ts'
import { createFormat } from '../../ui/format.ts'
import { containsAllWords } from '../../ui/match-text.ts'
import type { PaletteItem } from '../../ui/palette.tsx'
import type { Language } from '../../ui/words.ts'
import { rememberCode } from './known-codes.ts'
import { lookUpVoucher } from './queries.ts'
import { voucherWords } from './words.ts'

/** Only a whole code is asked for: parts of one would be guesses, and guesses are counted. */
const CODE = /^[a-z0-9]{4}([- ]?[a-z0-9]{4}){3}$/i

interface Context {
  language: Language
  go: (path: string) => void
}

/** A voucher by its code, and what can be done at its desk. */
export const findItems = async (text: string, { language, go }: Context): Promise<PaletteItem[]> => {
  const words = voucherWords[language]
  const typed = text.trim()
  const actions: PaletteItem[] = [
    { id: 'vouchers-issue', label: words.palette.issue, run: () => go('/vouchers?issue=1') },
    { id: 'vouchers-products', label: words.palette.products, run: () => go('/vouchers/products') },
    { id: 'vouchers-import', label: words.palette.import, run: () => go('/vouchers/import') },
    { id: 'vouchers-months', label: words.palette.months, run: () => go('/vouchers/month') },
  ].filter(({ label }) => typed !== '' && containsAllWords(label, typed))
  const voucher = CODE.test(typed) ? await lookUp(typed) : null
  if (!voucher) return actions
  const { id, masked_code, balance, status, product_name } = voucher
  const left = createFormat(language).money(balance.amount, balance.currency)
  return [
    {
      id: `voucher-${id}`,
      label: words.told(masked_code, left, words.statuses[status]),
      ...(product_name && { hint: product_name }),
      run: () => {
        rememberCode(id, typed)
        go(`/vouchers/${id}`)
      },
    },
    ...actions,
  ]
}

const lookUp = async (code: string) => {
  try {
    return await lookUpVoucher(code)
  } catch (refusal) {
    if (isRefusal(refusal, 'not_found')) return null
    throw refusal
  }
}

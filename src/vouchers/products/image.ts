import type { CallerScope, Tx } from '../../access/scopes.ts'
import { publicImageUrl, takePublicImage } from '../../files/public-images.ts'
import { discardBlobs } from '../../files/records.ts'
import { Invalid } from '../../kernel/refusals.ts'
import { INVALID } from '../../kernel/texts.ts'

/** The caller's own picture behind a signed ID, made public. */
export const keepImage = async (account: CallerScope, tx: Tx, signedId: string): Promise<number> => {
  const id = await takePublicImage(account, tx, signedId, 'voucher_image')
  if (id === null) throw new Invalid({ image: [INVALID] })
  return id
}

export const dropImage = (tx: Tx, id: number | null): Promise<void> => discardBlobs(tx, id === null ? [] : [id])

export const imageUrlOf =
  ({ account, house }: CallerScope) =>
  (key: string) =>
    publicImageUrl(house, { accountId: account.id, key })

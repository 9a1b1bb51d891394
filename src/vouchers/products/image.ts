import type { AccountScope, CallerScope, Tx } from '../../access/scopes.ts'
import { publicImageUrl, attachPublicImage } from '../../files/public-images.ts'
import { markBlobsDiscarded } from '../../files/records.ts'
import { Invalid } from '../../kernel/refusals.ts'
import { INVALID_MESSAGE } from '../../kernel/messages.ts'

/** The caller's own picture behind a signed ID, made public. */
export const attachProductImage = async (account: CallerScope, tx: Tx, signedId: string): Promise<number> => {
  const id = await attachPublicImage(account, tx, signedId, 'voucher_image')
  if (id === null) throw new Invalid({ image: [INVALID_MESSAGE] })
  return id
}

export const detachProductImage = (tx: Tx, id: number | null): Promise<void> =>
  markBlobsDiscarded(tx, id === null ? [] : [id])

export const imageUrlOf =
  ({ account, app }: AccountScope) =>
  (key: string) =>
    publicImageUrl(app, { accountId: account.id, key })

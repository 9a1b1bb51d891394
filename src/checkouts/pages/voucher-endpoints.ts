import { shopVisitor } from '../../access/access.ts'
import { endpoint } from '../../http/endpoint.ts'
import { imageUrlOf } from '../../vouchers/products/image.ts'
import { findProducts } from '../../vouchers/products/records.ts'
import { type ShopPageRequest, withRefusalsAsPages } from './on-pages.ts'
import type { PageFault, ShopPageContext } from './parts.ts'
import { vouchersPage } from './vouchers-page.ts'

export const renderVoucherShop = async (
  { shop }: ShopPageRequest,
  page: ShopPageContext,
  form: { sent: Record<string, unknown> | null; faults: PageFault[] },
) => {
  const products = await findProducts(shop.rows)
  const shown = products.filter(({ visibility, archivedAt }) => visibility === 'public_catalog' && archivedAt === null)
  return vouchersPage(page, shown, { ...form, imageUrl: imageUrlOf(shop), timeZone: shop.account.timeZone })
}

export const vouchersPageVisitEndpoint = endpoint({
  method: 'GET',
  path: '/vouchers',
  says: 'The gift vouchers of a shop.',
  access: shopVisitor(),
  answers: {},
  undocumented: true,
  handle: (asked) => withRefusalsAsPages(asked, (page) => renderVoucherShop(asked, page, { sent: null, faults: [] })),
})

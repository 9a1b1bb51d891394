import type { RawAnswer } from '../../http/answers.ts'
import { isRecord } from '../../http/body.ts'
import { type Html, html } from '../../kernel/html.ts'
import { once } from '../../kernel/once.ts'
import { showAmount } from '../../kernel/money.ts'
import { faultList, longTextField, textField } from '../../pages/form.ts'
import type { Product } from '../../vouchers/products/rules.ts'
import {
  type PageFault,
  type ShopPageContext,
  faultMessageOf,
  fieldElementId,
  formatPrice,
  renderShopPage,
} from './parts.ts'

export interface VouchersPageOptions {
  /** What was sent for which product, where it was refused. */
  sent: Record<string, unknown> | null
  faults: readonly PageFault[]
  imageUrl: (key: string) => string
  /** Of the venue. */
  timeZone: string
}

/** The gift vouchers of a shop, each with its own small form. */
export const vouchersPage = (
  page: ShopPageContext,
  products: readonly Product[],
  form: VouchersPageOptions,
): RawAnswer => {
  const { words, shopName } = page
  return renderShopPage(page, {
    title: words.giftVouchers,
    status: form.faults.length > 0 ? 422 : 200,
    imageSources: products
      .flatMap(({ imageKey }) => (imageKey ? [new URL(form.imageUrl(imageKey)).origin] : []))
      .slice(0, 1),
    body: html`<h1>${words.giftVouchers}</h1>
      <p class="muted">${words.giftVouchersAt(shopName)}</p>
      ${faultList(
        words.faults,
        form.faults.map((fault) => sentenceOf(page, products, form, fault)),
      )}
      ${
        products.length === 0
          ? html`<p class="notice">${words.noVouchers}</p>`
          : html`<div class="products">${products.map((product) => showProduct(page, product, form))}</div>
              ${timeZones()}`
      }`,
  })
}

/** A fault with the name of its field, which it leads to. */
const sentenceOf = (
  { words }: ShopPageContext,
  products: readonly Product[],
  { sent }: VouchersPageOptions,
  fault: PageFault,
) => {
  const key = /^voucher_items\[0\]\.(\w+)$/.exec(fault.field)?.[1] ?? ''
  const labels: Record<string, string> = {
    amount: words.amount,
    quantity: words.quantity,
    recipient_name: words.recipientName,
    recipient_email: words.recipientEmail,
    deliver_on: words.deliverOn,
    delivery_time_zone: words.deliveryTimeZone,
    message: words.message,
  }
  const label = Object.hasOwn(labels, key) ? labels[key] : undefined
  const product = products.find(({ publicId }) => publicId === sent?.['voucher_product_id'])
  if (label === undefined || !product) return { id: null, sentence: fault.message }
  return { id: fieldId(product, key), sentence: `${label} ${fault.message}` }
}

const fieldId = ({ id }: Product, key: string) => `${fieldElementId(key)}-${id}`

const showProduct = (page: ShopPageContext, product: Product, form: VouchersPageOptions): Html => {
  const { words, currency } = page
  const sent = form.sent?.['voucher_product_id'] === product.publicId ? form.sent : null
  const faults = sent ? form.faults : []
  const field = (key: string, label: string, hint?: string) => ({
    id: fieldId(product, key),
    name: `checkout[voucher_items][0][${key}]`,
    label,
    value: typeof sent?.[key] === 'string' ? sent[key] : '',
    hint: hint ?? null,
    optionalWord: words.optional,
    fault: faultMessageOf(faults, `voucher_items[0].${key}`),
  })
  const { fixedCents, purchaseCents, minimumCents, maximumCents } = product
  return html`<section class="card product" aria-labelledby="product-${product.id}">
    ${product.imageKey && html`<img src="${form.imageUrl(product.imageKey)}" alt="" loading="lazy" />`}
    <h2 id="product-${product.id}" dir="auto">${product.name}</h2>
    ${product.description && html`<p dir="auto">${product.description}</p>`}
    <p class="price">
      ${
        fixedCents === null
          ? words.amountBetween(formatPrice(minimumCents!, page), formatPrice(maximumCents!, page))
          : purchaseCents === null
            ? formatPrice(fixedCents, page)
            : words.pricedAt(formatPrice(fixedCents, page), formatPrice(purchaseCents, page))
      }
    </p>
    <p class="muted small">${words.validMonths(product.validityMonths)}</p>
    <form method="post" action="/checkouts">
      <input type="hidden" name="checkout[voucher_items][0][voucher_product_id]" value="${product.publicId}" />
      ${
        fixedCents === null &&
        textField(
          {
            ...field('amount', words.amount),
            isRequired: true,
            value: field('amount', '').value || showAmount(minimumCents!, currency),
          },
          html`type="text" inputmode="decimal"`,
        )
      }
      ${textField({ ...field('quantity', words.quantity), isRequired: true, value: field('quantity', '').value || '1' }, html`type="number" min="1" max="20"`)}
      ${textField(field('recipient_name', words.recipientName), html`type="text" autocomplete="off"`)}
      ${textField(field('recipient_email', words.recipientEmail, words.recipientHint), html`type="email" autocomplete="off"`)}
      ${textField(field('deliver_on', words.deliverOn, words.deliverOnHint), html`type="date"`)}
      ${textField(
        field('delivery_time_zone', words.deliveryTimeZone, words.deliveryTimeZoneHint(form.timeZone)),
        html`type="text" list="time-zones" autocomplete="off" placeholder="${form.timeZone}"`,
      )}
      ${longTextField(field('message', words.message), 1000)}
      <button>${words.buyVoucher}</button>
    </form>
  </section>`
}

/** Once for all forms of the page. */
const timeZones = once(
  () =>
    html`<datalist id="time-zones">
      ${Intl.supportedValuesOf('timeZone').map((name) => html`<option value="${name}"></option>`)}
    </datalist>`,
)

/** What a form sent of its voucher. */
export const readVoucherFields = (sent: unknown): Record<string, unknown> | null => {
  const items = isRecord(sent) && isRecord(sent['checkout']) ? sent['checkout']['voucher_items'] : null
  const item = isRecord(items) ? Object.values(items)[0] : null
  return isRecord(item) ? item : null
}

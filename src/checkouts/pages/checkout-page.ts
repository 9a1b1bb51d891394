import type { Question } from '../../admissions/rules.ts'
import { isRequiredUpfront } from '../../admissions/rules.ts'
import type { RawAnswer } from '../../http/answers.ts'
import { isRecord } from '../../http/body.ts'
import { type Html, html } from '../../kernel/html.ts'
import {
  checkboxField,
  checkboxOrRadioGroup,
  faultList,
  longTextField,
  selectField,
  textField,
} from '../../pages/form.ts'
import type { PaymentMethodName } from '../../payments/rules.ts'
import { type Checkout, admissionCount, totalOf } from '../rules.ts'
import { checkoutPath } from '../../orders/tokens.ts'
import { maskedVoucherCode } from '../wire.ts'
import { COUNTDOWN_SCRIPT, showBasket } from './basket.ts'
import {
  type PageFault,
  type ShopPageContext,
  faultMessageOf,
  fieldElementId,
  formatPrice,
  renderShopPage,
} from './parts.ts'

export interface CheckoutForm {
  token: string
  methods: readonly PaymentMethodName[]
  /** What a form sent and was refused; null shows what is stored. */
  sent: Record<string, unknown> | null
  faults: readonly PageFault[]
  voucherCode?: string
  method?: string | null
}

/** Who buys, what they answer, with which vouchers and how they pay: one form, so that no button loses what was typed. */
export const checkoutPage = (page: ShopPageContext, checkout: Checkout, form: CheckoutForm): RawAnswer => {
  const { words } = page
  return renderShopPage(page, {
    title: words.checkout,
    status: form.faults.length > 0 ? 422 : 200,
    script: COUNTDOWN_SCRIPT,
    body: html`<h1>${words.checkout}</h1>
      ${checkout.payment?.status === 'declined' && form.faults.length === 0 && html`<p class="notice bad" role="alert">${words.declined}</p>`}
      ${faultList(
        words.faults,
        form.faults.map(({ field, message }) => sentenceOf(page, checkout, field, message)),
      )}
      <div class="checkout">
        ${showBasket(page, checkout, { hasClock: true })}
        <form method="post" action="${checkoutPath(form.token)}">
          <!-- The first button is what the Enter key presses. -->
          <button type="submit" name="intent" value="pay" class="hidden-text" tabindex="-1" aria-hidden="true">
            ${words.order}
          </button>
          ${showDetails(page, checkout, form)} ${showGuests(page, checkout, form)} ${showVouchers(page, checkout, form)}
          ${showPayment(page, checkout, form)}
          <div class="actions">
            <button type="submit" name="intent" value="pay">
              ${totalOf(checkout) > 0 ? words.payNow(formatPrice(totalOf(checkout), page)) : words.order}
            </button>
          </div>
          <p class="actions">
            ${checkout.event && html`<a class="button quiet" href="${checkoutPath(form.token)}/items">${words.changeTickets}</a>`}
            <button type="submit" name="intent" value="cancel" class="link" formnovalidate>${words.giveUp}</button>
          </p>
        </form>
      </div>`,
  })
}

/** What was typed wins over what is stored. */
const valueOf = ({ sent }: CheckoutForm, key: string, stored: string | null): string => {
  const typed = sent?.[key]
  return typeof typed === 'string' ? typed : (stored ?? '')
}

const NAME = (key: string) => `checkout[${key}]`

const showDetails = (page: ShopPageContext, { event, customer, questions }: Checkout, form: CheckoutForm): Html => {
  const { words } = page
  const text = (
    key: string,
    label: string,
    stored: string | null,
    more: { hint?: string; isRequired?: boolean } = {},
  ) => ({
    id: fieldElementId(key),
    name: NAME(key),
    label,
    value: valueOf(form, key, stored),
    fault: faultMessageOf(form.faults, key),
    optionalWord: words.optional,
    ...more,
  })
  const { billing } = customer
  const phone = text('customer_phone', words.phone, customer.phone)
  const company = text('customer_company', words.company, customer.company)
  const street = text('billing_street', words.street, billing.street)
  const postalCode = text('billing_postal_code', words.postalCode, billing.postalCode)
  const city = text('billing_city', words.city, billing.city)
  const country = text('billing_country', words.country, billing.country)
  const vatId = text('billing_vat_id', words.vatId, billing.vatId)
  // Nothing that was typed or is wrong stands where nobody sees it.
  const isOpen = [phone, company, street, postalCode, city, country, vatId].some(({ value, fault }) => value || fault)
  return html`<section class="card" aria-labelledby="details">
    <h2 id="details">${words.yourDetails}</h2>
    ${textField(text('customer_name', words.name, customer.name, { isRequired: true }), html`type="text" autocomplete="name"`)}
    ${textField(text('customer_email', words.email, customer.email, { isRequired: true, hint: event ? words.emailHint : words.voucherEmailHint }), html`type="email" autocomplete="email"`)}
    ${questionsOf(page, questions, 'order', { form, path: 'custom_field_answers', answers: customer.answers })}
    <details class="more" ${isOpen && html`open`}>
      <summary>${words.billing}</summary>
      ${textField(phone, html`type="tel" autocomplete="tel"`)}
      ${textField(company, html`type="text" autocomplete="organization"`)}
      ${textField(street, html`type="text" autocomplete="street-address"`)}
      <div class="two">
        ${textField(postalCode, html`type="text" autocomplete="postal-code"`)}
        ${textField(city, html`type="text" autocomplete="address-level2"`)}
        ${textField(country, html`type="text" autocomplete="country"`)}
        ${textField(vatId, html`type="text" autocomplete="off"`)}
      </div>
    </details>
  </section>`
}

const showGuests = (
  page: ShopPageContext,
  { items, questions, customer }: Checkout,
  form: CheckoutForm,
): Html | null => {
  const { words } = page
  const count = admissionCount(items)
  const asked = questions.filter(({ scope }) => scope === 'attendee')
  if (count === 0 || (count === 1 && asked.length === 0)) return null
  const titles = items.flatMap((item) =>
    Array.from({ length: item.quantity * item.admissionsEach }, (_each, n) => item.places[n]?.label ?? item.title),
  )
  const sent = form.sent?.['attendees']
  return html`<section class="card" aria-labelledby="guests">
    <h2 id="guests">${words.guests}</h2>
    ${Array.from({ length: count }, (_each, n) => {
      const stored = customer.attendees[n]
      const typed = isRecord(sent) && isRecord(sent[n]) ? sent[n] : null
      const name = typeof typed?.['name'] === 'string' ? typed['name'] : (stored?.name ?? '')
      return html`<fieldset>
        <legend>${words.guest(n + 1)} <span class="muted small" dir="auto">${titles[n]}</span></legend>
        ${textField({ id: fieldElementId(`attendees[${n}].name`), name: `checkout[attendees][${n}][name]`, label: words.guestName, value: name, optionalWord: words.optional, fault: faultMessageOf(form.faults, `attendees[${n}].name`) }, html`type="text" autocomplete="off"`)}
        ${questionsOf(page, asked, 'attendee', { form, path: `attendees[${n}].custom_field_answers`, answers: stored?.answers ?? {}, typed: typed?.['custom_field_answers'] })}
      </fieldset>`
    })}
  </section>`
}

interface AskedQuestions {
  form: CheckoutForm
  /** Where their answers stand in the body. */
  path: string
  answers: Record<string, string | boolean | string[]>
  typed?: unknown
}

const questionsOf = (
  page: ShopPageContext,
  questions: readonly Question[],
  scope: Question['scope'],
  asked: AskedQuestions,
) => {
  const typed = asked.typed ?? (scope === 'order' ? asked.form.sent?.['custom_field_answers'] : undefined)
  return questions
    .filter((question) => question.scope === scope)
    .map((question) => {
      const given = isRecord(typed) ? typed[String(question.id)] : undefined
      return questionField(page, question, asked, given ?? asked.answers[question.id] ?? '')
    })
}

const questionField = (
  page: ShopPageContext,
  question: Question,
  { form, path }: AskedQuestions,
  value: unknown,
): Html => {
  const [first, ...rest] = path.split(/[[\].]+/).filter(Boolean)
  const name = `checkout[${[first, ...rest, question.id].join('][')}]`
  // Faults of answers name their question.
  const fault = form.faults.find((each) => each.field === path && each.message.startsWith(`${question.label} `))
  const field = {
    id: fieldElementId(`${path}.${question.id}`),
    name,
    label: question.label,
    value: typeof value === 'string' ? value : value === true ? '1' : '',
    isRequired: isRequiredUpfront(question),
    optionalWord: page.words.optional,
    hint: question.helpText,
    fault: fault?.message ?? null,
  }
  const options = question.options.map((option) => ({ value: option, label: option }))
  switch (question.type) {
    case 'checkbox':
      return checkboxField(field)
    case 'select':
      return selectField(field, [{ value: '', label: page.words.pleaseChoose }, ...options])
    case 'multi_select':
      return checkboxOrRadioGroup(
        { ...field, name: `${name}[]`, type: 'checkbox' },
        options,
        Array.isArray(value) ? value : [],
      )
    case 'textarea':
      return longTextField(field, 5000)
    default:
      return textField(field, TYPES[question.type] ?? html`type="text"`)
  }
}

const TYPES: Partial<Record<Question['type'], Html>> = {
  number: html`type="text" inputmode="decimal"`,
  date: html`type="date"`,
  email: html`type="email" autocomplete="off"`,
  phone: html`type="tel" autocomplete="off"`,
}

const showVouchers = (page: ShopPageContext, checkout: Checkout, form: CheckoutForm): Html | null => {
  const { words } = page
  if (checkout.voucherItems.length > 0) return null
  const fault = faultMessageOf(form.faults, 'code')
  return html`<section class="card" aria-labelledby="vouchers">
    <h2 id="vouchers">${words.haveVoucher}</h2>
    ${checkout.vouchers.map(
      ({ publicId, codeSuffix, amountCents }) =>
        html`<p class="actions">
          <span>${words.voucher(maskedVoucherCode(codeSuffix))}: ${formatPrice(amountCents, page)}</span>
          <button
            class="link"
            name="intent"
            value="remove ${publicId}"
            formnovalidate
            aria-label="${words.removeVoucher(maskedVoucherCode(codeSuffix))}"
          >
            ${words.remove}
          </button>
        </p>`,
    )}
    ${
      totalOf(checkout) > 0 &&
      html`${fault && html`<input type="hidden" name="refused_code" value="${form.voucherCode ?? ''}" />`}
        ${textField({ id: fieldElementId('code'), name: 'code', label: words.voucherCode, value: form.voucherCode ?? '', fault, optionalWord: words.optional }, html`type="text" autocomplete="off" autocapitalize="characters" spellcheck="false"`)}
        <button class="quiet" name="intent" value="voucher" formnovalidate>${words.applyVoucher}</button>`
    }
  </section>`
}

const showPayment = (page: ShopPageContext, checkout: Checkout, form: CheckoutForm): Html | null => {
  const { words } = page
  if (totalOf(checkout) === 0) return null
  if (form.methods.length === 0) return html`<p class="notice bad">${words.noMethods}</p>`
  const chosen = form.method ?? checkout.payment?.method ?? form.methods[0]!
  return html`<section class="card" aria-label="${words.payment}">
    ${checkboxOrRadioGroup(
      {
        id: fieldElementId('payment_method'),
        name: 'payment_method',
        label: words.payment,
        value: '',
        isRequired: true,
        type: 'radio',
        fault: faultMessageOf(form.faults, 'payment_method'),
      },
      form.methods.map((name) => ({ value: name, label: words.methods[name], hint: words.methodHints[name] })),
      [chosen],
    )}
  </section>`
}

const LABELS = (page: ShopPageContext): Record<string, string> => ({
  customer_name: page.words.name,
  customer_email: page.words.email,
  customer_phone: page.words.phone,
  customer_company: page.words.company,
  billing_street: page.words.street,
  billing_postal_code: page.words.postalCode,
  billing_city: page.words.city,
  billing_country: page.words.country,
  billing_vat_id: page.words.vatId,
  code: page.words.voucherCode,
  payment_method: page.words.payment,
})

/** As the list on top says it: with the label of its field, which it leads to. */
const sentenceOf = (page: ShopPageContext, { questions }: Checkout, field: string, message: string) => {
  const label = LABELS(page)[field]
  if (label) return { id: fieldElementId(field), sentence: `${label} ${message}` }
  const question = questions.find((each) => message.startsWith(`${each.label} `))
  return { id: question ? fieldElementId(`${field}.${question.id}`) : null, sentence: message }
}

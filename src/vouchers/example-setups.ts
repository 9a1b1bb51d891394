import type { PrecedingCall, ExampleSetup } from '../http/example-setup.ts'

const aProduct = (as: string): PrecedingCall => ({ call: 'GET /admin/voucher_products', take: [{ key: 'id', as }] })

const newProduct: PrecedingCall = {
  call: 'POST /admin/voucher_products',
  body: { voucher_product: { name: 'Voucher 75', pricing_type: 'fixed', fixed_amount: '75.00' } },
  take: [{ key: 'id', as: 'id' }],
}

const newVoucher: PrecedingCall = {
  call: 'POST /admin/vouchers',
  body: { voucher: { amount: '25.00' } },
  take: [{ key: 'id', as: 'voucher_id' }],
}

const IMPORT = 'code,amount,expires_at,note,product_id\nABCD-EFGH-JK24,25.00,2030-12-31,From the old shop,\n'

/** What the examples of these endpoints take to work on the demo venue. */
export const EXAMPLE_SETUPS = {
  product: { before: [aProduct('id')] },
  productChange: { before: [newProduct] },
  productPart: { before: [aProduct('voucher_product_id')] },
  lookup: {
    before: [{ ...newVoucher, take: [{ key: 'code', as: 'code' }] }],
    body: { code: '$code' },
  },
  voucher: { before: [{ call: 'GET /admin/vouchers', take: [{ key: 'id', as: 'id' }] }] },
  newVoucher: { before: [newVoucher] },
  unblocking: {
    before: [newVoucher, { call: 'POST /admin/vouchers/$voucher_id/block', body: { reason: 'Reported stolen' } }],
  },
  /** The one gift of the demo venue that could not be delivered. */
  retry: {
    before: [
      { call: 'GET /admin/vouchers', take: [{ key: 'id', upTo: 'Give 50, get 60', as: 'voucher_id' }] },
      {
        call: 'GET /admin/vouchers/$voucher_id',
        take: [{ key: 'id', upTo: 'refused the recipient', as: 'voucher_delivery_id' }],
      },
    ],
  },
  import: { before: [{ call: 'GET /admin/voucher_imports', take: [{ key: 'id', as: 'id' }] }] },
  application: {
    before: [
      { call: 'POST /admin/voucher_imports', body: { csv: IMPORT }, take: [{ key: 'id', as: 'voucher_import_id' }] },
    ],
  },
} satisfies Record<string, ExampleSetup>

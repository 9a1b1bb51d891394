import { management } from '../../access/access.ts'
import type { CallerScope } from '../../access/scopes.ts'
import { created, noContent, ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { archiveProduct, changeProduct, moveProduct, removeImage } from './change-product.ts'
import { createProduct } from './create-product.ts'
import { imageUrlOf } from './image.ts'
import { findProduct, findProducts } from './records.ts'
import type { Product } from './rules.ts'
import {
  NewProductBody,
  PositionBody,
  ProductChangesBody,
  VoucherProduct,
  VoucherProducts,
  showProduct,
} from './wire.ts'
import { EXAMPLE_SETUPS } from '../example-setups.ts'

const show = (account: CallerScope, product: Product) =>
  showProduct(product, { currency: account.account.currency, imageUrl: imageUrlOf(account) })

const requireProduct = async (account: CallerScope, publicId: string) =>
  requireFound(await findProduct(account.rows, publicId))

const products = endpoint({
  method: 'GET',
  path: '/admin/voucher_products',
  operationId: 'listVoucherProducts',
  says: 'The voucher products in catalog order, archived ones too.',
  access: management('read'),
  answers: { 200: VoucherProducts },
  handle: async ({ account }) => {
    const all = await findProducts(account.rows)
    return ok({ voucher_products: all.map((product) => show(account, product)) })
  },
})

const product = endpoint({
  method: 'GET',
  path: '/admin/voucher_products/:id',
  operationId: 'getVoucherProduct',
  says: 'One voucher product.',
  access: management('read'),
  exampleSetup: EXAMPLE_SETUPS.product,
  answers: { 200: VoucherProduct },
  handle: async ({ account, params }) => ok(show(account, await requireProduct(account, params.id))),
})

const productCreation = endpoint({
  method: 'POST',
  path: '/admin/voucher_products',
  operationId: 'createVoucherProduct',
  says: 'Adds a voucher product at the end of the catalog.',
  access: management('write'),
  body: NewProductBody,
  example: { voucher_product: { name: 'Voucher 50', pricing_type: 'fixed', fixed_amount: '50.00' } },
  answers: { 201: VoucherProduct },
  creates: true,
  handle: async ({ account, body }) => {
    const made = await createProduct(account, body)
    return created(show(account, made), `/admin/voucher_products/${made.publicId}`)
  },
})

const productChange = endpoint({
  method: 'PATCH',
  path: '/admin/voucher_products/:id',
  operationId: 'updateVoucherProduct',
  says: 'Changes the given fields of a voucher product; a switch of pricing type clears the fields of the old one.',
  access: management('write'),
  body: ProductChangesBody,
  example: {
    voucher_product: {
      pricing_type: 'flexible',
      fixed_amount: null,
      minimum_amount: '10.00',
      maximum_amount: '200.00',
    },
  },
  exampleSetup: EXAMPLE_SETUPS.productChange,
  answers: { 200: VoucherProduct },
  exists: ({ account, params }) => requireProduct(account, params.id),
  handle: async ({ account, params, body }) => ok(show(account, await changeProduct(account, params.id, body))),
})

const productPosition = endpoint({
  method: 'PATCH',
  path: '/admin/voucher_products/:voucher_product_id/position',
  operationId: 'moveVoucherProduct',
  says: 'Moves a voucher product to another place of the catalog, counted from 1.',
  access: management('write'),
  body: PositionBody,
  example: { position: 1 },
  exampleSetup: EXAMPLE_SETUPS.productPart,
  answers: { 204: null },
  exists: ({ account, params }) => requireProduct(account, params.voucher_product_id),
  handle: async ({ account, params, body }) => {
    await moveProduct(account, params.voucher_product_id, body.position)
    return noContent()
  },
})

const productArchival = endpoint({
  method: 'DELETE',
  path: '/admin/voucher_products/:id',
  operationId: 'archiveVoucherProduct',
  says: 'Archives a voucher product; its vouchers and purchases stay.',
  access: management('write'),
  exampleSetup: EXAMPLE_SETUPS.productChange,
  answers: { 204: null },
  handle: async ({ account, params }) => {
    await archiveProduct(account, params.id)
    return noContent()
  },
})

const productImageRemoval = endpoint({
  method: 'DELETE',
  path: '/admin/voucher_products/:voucher_product_id/image',
  operationId: 'removeVoucherProductImage',
  says: 'Removes the image of a voucher product.',
  access: management('write'),
  exampleSetup: EXAMPLE_SETUPS.productPart,
  answers: { 204: null },
  handle: async ({ account, params }) => {
    await removeImage(account, params.voucher_product_id)
    return noContent()
  },
})

export const productEndpoints = [
  products,
  product,
  productCreation,
  productChange,
  productPosition,
  productArchival,
  productImageRemoval,
]

import { sql } from 'kysely'
import type { Rows, Tx } from '../../access/scopes.ts'
import { allocateIds, insertRows } from '../../loading/records.ts'
import type { ProductPrices, Product } from './rules.ts'

const COLUMNS = sql`
  id, public_id as "publicId", name, description, pricing_type as "pricingType", visibility,
  fixed_cents as "fixedCents", purchase_cents as "purchaseCents",
  minimum_cents as "minimumCents", maximum_cents as "maximumCents", tax_rate as "taxRate",
  validity_months as "validityMonths", position, image_id as "imageId",
  (select key from blobs where blobs.account_id = voucher_products.account_id and blobs.id = image_id) as "imageKey",
  archived_at as "archivedAt",
  created_at as "createdAt", updated_at as "updatedAt"`

export const findProducts = async (rows: Rows): Promise<Product[]> => {
  const { rows: products } = await sql<Product>`
    select ${COLUMNS} from voucher_products where account_id = ${rows.accountId} order by position, id`.execute(rows.db)
  return products
}

export const findProduct = async (rows: Rows, publicId: string): Promise<Product | undefined> => {
  const { rows: products } = await sql<Product>`
    select ${COLUMNS} from voucher_products
    where account_id = ${rows.accountId} and public_id = ${publicId}`.execute(rows.db)
  return products[0]
}

export const lockProduct = async (tx: Tx, publicId: string): Promise<Product | undefined> => {
  const { rows: products } = await sql<Product>`
    select ${COLUMNS} from voucher_products
    where account_id = ${tx.accountId} and public_id = ${publicId} for update`.execute(tx.db)
  return products[0]
}

/** Whoever changes the order of the catalogue comes one after the other. */
export const lockProductOrder = (tx: Tx) =>
  sql`select from accounts where id = ${tx.accountId} for no key update`.execute(tx.db)

export type NewProduct = ProductPrices &
  Pick<Product, 'publicId' | 'name' | 'description' | 'visibility' | 'taxRate' | 'validityMonths' | 'imageId'>

/** Takes the last place; the catalogue must be locked. */
export const insertProduct = async (tx: Tx, product: NewProduct): Promise<Product> => {
  const { rows } = await sql<Product>`
    insert into voucher_products (account_id, public_id, name, description, pricing_type, visibility, fixed_cents,
      purchase_cents, minimum_cents, maximum_cents, tax_rate, validity_months, image_id, position)
    values (${tx.accountId}, ${product.publicId}, ${product.name}, ${product.description}, ${product.pricingType},
      ${product.visibility}, ${product.fixedCents}, ${product.purchaseCents}, ${product.minimumCents},
      ${product.maximumCents}, ${product.taxRate}, ${product.validityMonths}, ${product.imageId},
      (select coalesce(max(position), 0) + 1 from voucher_products where account_id = ${tx.accountId}))
    returning ${COLUMNS}`.execute(tx.db)
  return rows[0]!
}

export const updateProduct = async (tx: Tx, product: Product): Promise<Product> => {
  const { rows } = await sql<Product>`
    update voucher_products set
      name = ${product.name}, description = ${product.description}, pricing_type = ${product.pricingType},
      visibility = ${product.visibility}, fixed_cents = ${product.fixedCents}, purchase_cents = ${product.purchaseCents},
      minimum_cents = ${product.minimumCents}, maximum_cents = ${product.maximumCents},
      tax_rate = ${product.taxRate}, validity_months = ${product.validityMonths}, image_id = ${product.imageId}
    where account_id = ${tx.accountId} and id = ${product.id}
    returning ${COLUMNS}`.execute(tx.db)
  return rows[0]!
}

/** The others close up and make room, in one statement; the catalogue must be locked. */
export const moveProductTo = async (tx: Tx, id: number, position: number): Promise<void> => {
  await sql`
    with others as (
      select id, row_number() over (order by position) as place, count(*) over () as count
      from voucher_products where account_id = ${tx.accountId} and id <> ${id}
    ), wanted as (
      select least(greatest(${position}::int, 1), (select count(*) from others) + 1) as place
    ), places as (
      select id, place + (place >= (select place from wanted))::int as place from others
      union all
      select ${id}::bigint, place from wanted
    )
    update voucher_products as product set position = places.place
    from places
    where product.account_id = ${tx.accountId} and product.id = places.id
      and product.position <> places.place`.execute(tx.db)
}

/** Tells whether there is such a product; archiving again changes nothing. */
export const recordArchival = async (tx: Tx, publicId: string): Promise<boolean> => {
  const { rows } = await sql`
    with product as (
      select id, archived_at from voucher_products
      where account_id = ${tx.accountId} and public_id = ${publicId} for update
    ), archived as (
      update voucher_products set archived_at = foyer_now()
      where account_id = ${tx.accountId} and id = (select id from product where archived_at is null)
    )
    select from product`.execute(tx.db)
  return rows.length > 0
}

export type LoadedProductRow = Omit<NewProduct, 'imageId'> & { archivedAt: Date | null }

/** A whole catalogue in its order. */
export const insertProducts = async (tx: Tx, products: LoadedProductRow[]): Promise<number[]> => {
  const ids = await allocateIds(tx, 'voucher_products', products.length)
  await insertRows(
    tx,
    'voucher_products',
    products.map((product, n) => ({
      id: ids[n]!,
      public_id: product.publicId,
      name: product.name,
      description: product.description,
      pricing_type: product.pricingType,
      visibility: product.visibility,
      fixed_cents: product.fixedCents,
      purchase_cents: product.purchaseCents,
      minimum_cents: product.minimumCents,
      maximum_cents: product.maximumCents,
      tax_rate: product.taxRate,
      validity_months: product.validityMonths,
      position: n + 1,
      archived_at: product.archivedAt,
    })),
  )
  return ids
}

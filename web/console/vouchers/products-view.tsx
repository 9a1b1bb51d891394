import { Button, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { useFormat } from '../../ui/format.ts'
import { PlusIcon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keyboard.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { SortableList } from '../../ui/sortable/sortable-list.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { showErrorToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { ProductForm } from './product-form.tsx'
import { productWords } from './product-words.ts'
import { productsQuery } from './queries.ts'
import { type Product, moveInList } from './rules.ts'
import classes from './vouchers.module.css'
import { voucherWords } from './words.ts'

const route = getRouteApi('/frame/vouchers/products')

/** What the shop sells as vouchers; each is opened where it stands. */
export const ProductsView = () => {
  const words = useWords(productWords)
  const { back, title } = useWords(voucherWords)
  const { edit } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(productsQuery)
  usePageTitle(words.title, title)
  const open = (id: string | null) =>
    void navigate({ search: id === null ? {} : { edit: id }, replace: true, resetScroll: false })
  useShortcuts([{ keys: 'n', label: words.add, run: () => open('new') }])
  const active = query.data?.filter(({ status }) => status === 'active') ?? []
  const archived = query.data?.filter(({ status }) => status === 'archived') ?? []
  const add = (
    <Button leftSection={<PlusIcon size={16} />} onClick={() => open('new')}>
      {words.add}
    </Button>
  )

  return (
    <>
      <BackLink to="/vouchers">{back}</BackLink>
      <header className={classes.head}>
        <Title order={1} size="h2">
          {words.title}
        </Title>
        {active.length > 0 && add}
      </header>
      <Text c="dimmed" mb="md">
        {words.intro}
      </Text>
      {query.isPending && <LoadingRows rows={3} height={56} />}
      {query.isError && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && active.length === 0 && edit !== 'new' && (
        <EmptyState title={words.none} action={add}>
          {words.noneMore}
        </EmptyState>
      )}
      {edit === 'new' && (
        <section className={classes.card} aria-label={words.add}>
          <ProductForm product={null} close={() => open(null)} />
        </section>
      )}
      {active.length > 0 && <Catalog products={active} edited={edit ?? null} onOpen={open} />}
      {archived.length > 0 && (
        <section className={classes.columns} aria-label={words.archived}>
          <div>
            <Title order={2} size="lg">
              {words.archived}
            </Title>
            <Text c="dimmed" size="sm">
              {words.archivedMore}
            </Text>
            <ul className={classes.list}>
              {archived.map((product) => (
                <li key={product.id}>
                  <span dir="auto">{product.name}</span>
                  <ProductFacts product={product} />
                </li>
              ))}
            </ul>
          </div>
        </section>
      )}
    </>
  )
}

interface CatalogProps {
  products: readonly Product[]
  edited: string | null
  onOpen: (id: string | null) => void
}

/** The order is shown as it was wished for, and taken back where the server refuses it. */
const Catalog = ({ products, edited, onOpen }: CatalogProps) => {
  const words = useWords(productWords)
  const queries = useQueryClient()
  const [wished, setWished] = useState<readonly Product[] | null>(null)
  const [refusals, setRefusals] = useState(0)
  const move = async (id: string, place: number) => {
    // Archived ones have places too: the one that is meant is that of the product which stands there now.
    const { position } = products[place - 1]!
    setWished(moveInList(products, id, place))
    try {
      await dataOrThrow(
        api.PATCH('/admin/voucher_products/{voucher_product_id}/position', {
          params: { path: { voucher_product_id: id } },
          body: { position },
        }),
      )
      await queries.invalidateQueries({ queryKey: productsQuery.queryKey })
    } catch (error) {
      showErrorToast(refusalSentence(error))
      setRefusals((before) => before + 1)
    }
    setWished(null)
  }
  return (
    <SortableList
      // Dragging has moved the rows themselves; after a refusal they are drawn anew in their old order.
      key={refusals}
      items={wished ?? products}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      label={words.list}
      onMove={(id, place) => void move(id, place)}
      renderRow={(product) => (
        <ProductRow product={product} isOpen={edited === product.id} onOpen={onOpen}>
          <ProductForm product={product} close={() => onOpen(null)} />
        </ProductRow>
      )}
    />
  )
}

interface ProductRowProps {
  product: Product
  isOpen: boolean
  onOpen: (id: string | null) => void
  children: ReactNode
}

const ProductRow = ({ product, isOpen, onOpen, children }: ProductRowProps) => {
  const words = useWords(productWords)
  return (
    <>
      <div className={classes.product}>
        {product.image_url !== null && <img src={product.image_url} alt="" loading="lazy" />}
        <button
          type="button"
          className={classes.productName}
          aria-expanded={isOpen}
          aria-label={words.change(product.name)}
          onClick={() => onOpen(isOpen ? null : product.id)}
          dir="auto"
        >
          {product.name}
        </button>
        <ProductFacts product={product} />
      </div>
      {isOpen && children}
    </>
  )
}

const ProductFacts = ({ product }: { product: Product }) => {
  const words = useWords(productWords)
  const { money, number } = useFormat()
  const { currency, fixed_amount: fixed, purchase_price: price, minimum_amount: least, maximum_amount: most } = product
  const cost =
    fixed === null
      ? least && most && words.flexible(money(least.amount, currency), money(most.amount, currency))
      : price === null
        ? money(fixed, currency)
        : words.bonus(money(price, currency), money(fixed, currency))
  return (
    <span className={classes.quiet}>
      {[cost, words.months(number(product.validity_months)), product.visibility === 'secret' && words.secret]
        .filter(Boolean)
        .join(' · ')}
    </span>
  )
}

import type { Status } from './rules.ts'

/** What a column tells whoever drags something over it. Indexes are among the cards it shows. */
export interface ColumnHandle {
  status: Status
  scroller: HTMLElement
  count: () => number
  indexOf: (id: string) => number
  /** Between which cards a height on the screen lies. */
  indexAt: (clientY: number) => number
  /** Shows where something would land, or nothing. */
  showLine: (index: number | null) => void
  scrollTo: (index: number) => void
}

export interface DropTarget {
  status: Status
  index: number
}

export interface DragHooks {
  columns: () => readonly ColumnHandle[]
  /** Scrolls from column to column where they do not fit beside each other. */
  board: () => HTMLElement | null
  onLift: (id: string) => void
  onDrop: (id: string, target: DropTarget) => void
  onCancel: (id: string) => void
}

const MOUSE_SLACK = 6
const TOUCH_SLACK = 10
/** A finger that rests means the card; one that moves on means the list. */
const TOUCH_HOLD_MS = 280
const EDGE = 56
const SCROLL_MAX = 18

/** A card in the hand: how far it was taken from its corner, and what follows the pointer. */
interface Held {
  id: string
  card: HTMLElement
  ghost: HTMLElement
  dx: number
  dy: number
}

const showColumnLine = (columns: readonly ColumnHandle[], target: DropTarget | null) => {
  for (const column of columns) column.showLine(target?.status === column.status ? target.index : null)
}

/**
 * Drags cards by mouse and touch. A step moves one element and one line and renders nothing, so that two thousand cards
 * are dragged among as fast as two.
 */
export class PointerDrag {
  readonly #hooks: DragHooks
  #pressed: { id: string; card: HTMLElement; x: number; y: number; pointer: number; isTouch: boolean } | null = null
  #held: Held | null = null
  #target: DropTarget | null = null
  #at = { x: 0, y: 0 }
  #frame = 0
  #hold: ReturnType<typeof setTimeout> | null = null
  #cleanup: AbortController | null = null

  constructor(hooks: DragHooks) {
    this.#hooks = hooks
  }

  readonly press = (event: PointerEvent) => {
    const from = event.target as HTMLElement
    const card = from.closest<HTMLElement>('[data-task]')
    if (!card || event.button !== 0 || !event.isPrimary || from.closest('button, input, label')) return
    this.cancel()
    const { clientX: x, clientY: y, pointerId: pointer } = event
    const isTouch = event.pointerType === 'touch'
    this.#pressed = { id: card.dataset['task']!, card, x, y, pointer, isTouch }
    this.#at = { x, y }
    if (isTouch) this.#hold = setTimeout(this.#lift, TOUCH_HOLD_MS)
    this.#listen(card)
  }

  #listen(card: HTMLElement) {
    this.#cleanup = new AbortController()
    const { signal } = this.#cleanup
    window.addEventListener('pointermove', this.#move, { signal })
    window.addEventListener('pointerup', this.#release, { signal })
    window.addEventListener('pointercancel', this.#leave, { signal })
    window.addEventListener('blur', this.#leave, { signal })
    window.addEventListener('keydown', this.#hearKey, { signal, capture: true })
    window.addEventListener('contextmenu', this.#holdBack, { signal })
    // Of the card itself, which goes on hearing of the finger even when the list has let it go.
    card.addEventListener('touchmove', this.#holdBack, { signal, passive: false })
  }

  /** While something is held the page neither scrolls nor opens a menu. */
  readonly #holdBack = (event: Event) => {
    if (this.#held || (event.type === 'contextmenu' && this.#pressed?.isTouch)) event.preventDefault()
  }

  readonly #hearKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !this.#held) return
    event.preventDefault()
    event.stopPropagation()
    this.cancel()
  }

  readonly #leave = () => this.cancel()

  readonly #move = ({ clientX: x, clientY: y, pointerId }: PointerEvent) => {
    const pressed = this.#pressed
    if (!pressed || pointerId !== pressed.pointer) return
    this.#at = { x, y }
    if (!this.#held) {
      const distance = Math.hypot(x - pressed.x, y - pressed.y)
      if (pressed.isTouch && distance > TOUCH_SLACK) return this.cancel()
      if (pressed.isTouch || distance < MOUSE_SLACK) return
      this.#lift()
    }
    this.#frame ||= requestAnimationFrame(this.#step)
  }

  readonly #lift = () => {
    const { id, card, x, y } = this.#pressed!
    const { left, top, width } = card.getBoundingClientRect()
    const ghost = card.cloneNode(true) as HTMLElement
    ghost.removeAttribute('data-task')
    ghost.dataset['ghost'] = ''
    ghost.ariaHidden = 'true'
    ghost.inert = true
    ghost.style.width = `${width}px`
    document.body.append(ghost)
    card.dataset['held'] = ''
    this.#held = { id, card, ghost, dx: x - left, dy: y - top }
    this.#hooks.onLift(id)
    this.#frame ||= requestAnimationFrame(this.#step)
  }

  readonly #step = () => {
    this.#frame = 0
    const held = this.#held
    if (!held) return
    const { x, y } = this.#at
    held.ghost.style.transform = `translate(${x - held.dx}px, ${y - held.dy}px)`
    const columns = this.#hooks.columns()
    const column = columnAt(columns, x)
    const isScrolling = [scrollBeside(column?.scroller, y, 'y'), scrollBeside(this.#hooks.board(), x, 'x')].some(
      Boolean,
    )
    const target = column ? { status: column.status, index: column.indexAt(y) } : null
    if (target?.status !== this.#target?.status || target?.index !== this.#target?.index || isScrolling) {
      this.#target = target
      showColumnLine(columns, target)
    }
    if (isScrolling) this.#frame = requestAnimationFrame(this.#step)
  }

  readonly #release = (event: PointerEvent) => {
    const held = this.#held
    if (!held || event.pointerId !== this.#pressed?.pointer) {
      if (!held) this.#end()
      return
    }
    this.#step()
    const target = this.#target
    this.#end()
    swallowClick()
    if (target) this.#hooks.onDrop(held.id, target)
    else this.#hooks.onCancel(held.id)
  }

  readonly cancel = () => {
    const held = this.#held
    this.#end()
    if (held) this.#hooks.onCancel(held.id)
  }

  #end() {
    if (this.#hold) clearTimeout(this.#hold)
    cancelAnimationFrame(this.#frame)
    this.#cleanup?.abort()
    if (this.#held) {
      this.#held.ghost.remove()
      delete this.#held.card.dataset['held']
      showColumnLine(this.#hooks.columns(), null)
    }
    this.#frame = 0
    this.#hold = null
    this.#cleanup = null
    this.#pressed = null
    this.#held = null
    this.#target = null
  }
}

/** The column under the pointer, else the nearest one. */
const columnAt = (columns: readonly ColumnHandle[], x: number): ColumnHandle | undefined => {
  const away = ({ scroller }: ColumnHandle) => {
    const { left, right } = scroller.getBoundingClientRect()
    return Math.max(left - x, x - right, 0)
  }
  return columns.toSorted((a, b) => away(a) - away(b))[0]
}

/** Near an edge the list goes on by itself, the faster the nearer. Tells whether it did. */
const scrollBeside = (element: HTMLElement | null | undefined, at: number, axis: 'x' | 'y'): boolean => {
  if (!element) return false
  const { left, right, top, bottom } = element.getBoundingClientRect()
  const [start, end] = axis === 'x' ? [left, right] : [top, bottom]
  const speed = Math.round(
    SCROLL_MAX * (Math.max(0, Math.min(1, (at - end) / EDGE + 1)) - Math.max(0, Math.min(1, (start - at) / EDGE + 1))),
  )
  if (speed === 0) return false
  const before = axis === 'x' ? element.scrollLeft : element.scrollTop
  element.scrollBy(axis === 'x' ? { left: speed } : { top: speed })
  return (axis === 'x' ? element.scrollLeft : element.scrollTop) !== before
}

/** The click that ends a drag opens nothing. */
const swallowClick = () => {
  const swallow = (event: MouseEvent) => {
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 0)
}

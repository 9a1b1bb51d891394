import type { ColumnHandle, DragHooks, DropTarget } from './drag.ts'

interface KeyboardDragHooks extends Omit<DragHooks, 'board'> {
  onMove: (target: DropTarget & { count: number }) => void
}

/** The same as dragging for those who use no pointer: a card is picked up, led by the arrows and put down. */
export class KeyboardDrag {
  readonly #hooks: KeyboardDragHooks
  #held: { id: string; target: DropTarget } | null = null
  #cleanup: AbortController | null = null

  constructor(hooks: KeyboardDragHooks) {
    this.#hooks = hooks
  }

  readonly lift = (id: string) => {
    const column = this.#hooks.columns().find(({ indexOf }) => indexOf(id) >= 0)
    if (!column) return
    this.cancel()
    this.#held = { id, target: { status: column.status, index: column.indexOf(id) } }
    this.#cleanup = new AbortController()
    const { signal } = this.#cleanup
    window.addEventListener('keydown', this.#hear, { signal, capture: true })
    window.addEventListener('pointerdown', this.cancel, { signal, capture: true })
    this.#hooks.onLift(id)
    this.#show()
  }

  readonly cancel = () => {
    const held = this.#held
    this.#end()
    if (held) this.#hooks.onCancel(held.id)
  }

  readonly #hear = (event: KeyboardEvent) => {
    const held = this.#held!
    const keys: Record<string, () => void> = {
      ArrowDown: () => this.#step(1),
      ArrowUp: () => this.#step(-1),
      ArrowRight: () => this.#cross(1),
      ArrowLeft: () => this.#cross(-1),
      ' ': () => this.#drop(held),
      Enter: () => this.#drop(held),
      Escape: this.cancel,
      Tab: this.cancel,
    }
    const run = keys[event.key]
    event.stopPropagation()
    if (event.key !== 'Tab') event.preventDefault()
    run?.()
  }

  #column(): ColumnHandle {
    return this.#hooks.columns().find(({ status }) => status === this.#held!.target.status)!
  }

  /** Places are counted without the card itself: the ones right before and right behind it are the same. */
  #step(by: 1 | -1) {
    const held = this.#held!
    const column = this.#column()
    const own = column.indexOf(held.id)
    let index = held.target.index + by
    if (own >= 0 && index === own + 1) index += by
    if (index < 0 || index > column.count()) return
    this.#held = { ...held, target: { ...held.target, index } }
    this.#show()
  }

  #cross(by: 1 | -1) {
    const held = this.#held!
    const columns = this.#hooks.columns()
    const next = columns[columns.findIndex(({ status }) => status === held.target.status) + by]
    if (!next) return
    const own = next.indexOf(held.id)
    const index = own >= 0 ? own : Math.min(held.target.index, next.count())
    this.#held = { ...held, target: { status: next.status, index } }
    this.#show()
  }

  #show() {
    const { id, target } = this.#held!
    for (const column of this.#hooks.columns()) column.showLine(column.status === target.status ? target.index : null)
    const column = this.#column()
    column.scrollTo(Math.min(target.index, column.count() - 1))
    const own = column.indexOf(id)
    const isBehind = own >= 0 && target.index > own
    this.#hooks.onMove({
      status: target.status,
      index: isBehind ? target.index - 1 : target.index,
      count: column.count() + (own >= 0 ? 0 : 1),
    })
  }

  #drop({ id, target }: { id: string; target: DropTarget }) {
    this.#end()
    this.#hooks.onDrop(id, target)
  }

  #end() {
    this.#cleanup?.abort()
    this.#cleanup = null
    if (this.#held) for (const column of this.#hooks.columns()) column.showLine(null)
    this.#held = null
  }
}

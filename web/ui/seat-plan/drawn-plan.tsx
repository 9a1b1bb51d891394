import { type CSSProperties, type PointerEvent, memo, useMemo, useRef, useState } from 'react'
import { useFormat } from '../format.ts'
import { useWords } from '../words.ts'
import {
  type Box,
  type PlacedRow,
  type PlanLayout,
  type PlanPlace,
  SEAT_PITCH_PX,
  countStates,
  seatsIn,
} from './places.ts'
import classes from './seat-plan.module.css'
import { planWords } from './words.ts'

interface DrawnPlanProps {
  layout: PlanLayout
  places: readonly PlanPlace[]
  selected: ReadonlySet<string>
  scale: number
  /** What a click or a drag has touched, the place first where it began. */
  onTouch: (places: readonly PlanPlace[]) => void
}

const STAGE = 34
/** Less than this is a click, however unsteady the hand. */
const DRAG_MIN = 4

interface Drag {
  fromX: number
  fromY: number
  box: Box | null
}

/** Places are found by where the pointer is, so that thousands of them need no listener of their own. */
export const DrawnPlan = ({ layout, places, selected, scale, onTouch }: DrawnPlanProps) => {
  const words = useWords(planWords)
  const { number } = useFormat()
  const drawing = useRef<SVGSVGElement>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const counts = useMemo(() => countStates(places), [places])
  const touched = useMemo(
    () => (drag?.box ? new Set(seatsIn(layout, drag.box).map(({ key }) => key)) : null),
    [drag, layout],
  )

  const pointOf = (event: PointerEvent) => {
    const { left, top } = drawing.current!.getBoundingClientRect()
    return { x: (event.clientX - left) / scale, y: (event.clientY - top) / scale - STAGE }
  }

  const begin = (event: PointerEvent<SVGSVGElement>) => {
    if (event.button !== 0) return
    const { x, y } = pointOf(event)
    // A finger scrolls the plan; only its taps are meant for places.
    if (event.pointerType !== 'touch') event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ fromX: x, fromY: y, box: null })
  }

  const move = (event: PointerEvent) => {
    if (!drag || event.pointerType === 'touch') return
    const { x, y } = pointOf(event)
    if (!drag.box && Math.hypot(x - drag.fromX, y - drag.fromY) * scale < DRAG_MIN) return
    const box = {
      left: Math.min(x, drag.fromX),
      right: Math.max(x, drag.fromX),
      top: Math.min(y, drag.fromY),
      bottom: Math.max(y, drag.fromY),
    }
    setDrag({ ...drag, box })
  }

  const end = () => {
    if (!drag) return
    setDrag(null)
    const { fromX: x, fromY: y } = drag
    const found = seatsIn(layout, drag.box ?? { left: x, right: x, top: y, bottom: y })
    const [first] = seatsIn(layout, { left: x, right: x, top: y, bottom: y })
    // Where the hand began decides what happens to all of them.
    const ordered = first ? [first, ...found.filter((place) => place !== first)] : found
    if (ordered.length > 0) onTouch(ordered)
  }

  return (
    <div className={classes.scroll}>
      <svg
        ref={drawing}
        role="img"
        aria-label={words.plan(
          number(places.length),
          number(counts.free),
          number(counts.blocked),
          number(counts.claimed),
        )}
        className={classes.drawing}
        width={layout.width * scale}
        height={(layout.height + STAGE) * scale}
        viewBox={`0 ${-STAGE} ${layout.width} ${layout.height + STAGE}`}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={() => setDrag(null)}
      >
        <rect
          className={classes.stage}
          x={layout.width * 0.2}
          y={-STAGE + 2}
          width={layout.width * 0.6}
          height={20}
          rx={4}
        />
        <text className={classes.stageName} x={layout.width / 2} y={-STAGE + 16} textAnchor="middle">
          {words.stage}
        </text>
        {layout.sections.map(({ name, y, rows }) => (
          <g key={name ?? ''}>
            {name !== null && (
              <text className={classes.section} x={layout.width / 2} y={y + 18} textAnchor="middle">
                {name}
              </text>
            )}
            {rows.map((row) => (
              <DrawnRow
                key={row.id}
                row={row}
                right={layout.width}
                selected={signOf(row, selected)}
                touched={touched === null ? '' : signOf(row, touched)}
              />
            ))}
          </g>
        ))}
        {drag?.box && (
          <rect
            className={classes.box}
            x={drag.box.left}
            y={drag.box.top}
            width={drag.box.right - drag.box.left}
            height={drag.box.bottom - drag.box.top}
          />
        )}
      </svg>
    </div>
  )
}

/** Which seats of a row are among those: the same text as long as nothing changes in this row. */
const signOf = ({ seats }: PlacedRow, keys: ReadonlySet<string>): string =>
  keys.size === 0 ? '' : seats.flatMap(({ place }, n) => (keys.has(place.key) ? [n] : [])).join()

interface DrawnRowProps {
  row: PlacedRow
  right: number
  /** Numbers of the seats, so that a row is drawn anew only when something has changed in it. */
  selected: string
  touched: string
}

const DrawnRow = memo(({ row, right, selected, touched }: DrawnRowProps) => {
  const isSelected = new Set(selected.split(','))
  const isTouched = new Set(touched.split(','))
  return (
    <g>
      {row.name !== null && (
        <>
          <text className={classes.rowName} x={row.left - 10} y={row.y + 14} textAnchor="end">
            {row.name}
          </text>
          <text
            className={classes.rowName}
            x={Math.min(right, (row.seats.at(-1)?.x ?? 0) + SEAT_PITCH_PX + 10)}
            y={row.y + 14}
          >
            {row.name}
          </text>
        </>
      )}
      {row.seats.map(({ place, x, y }, n) => (
        <g
          key={place.key}
          data-place={place.key}
          data-state={place.state}
          data-picked={isSelected.has(String(n)) || undefined}
          data-touched={isTouched.has(String(n)) || undefined}
          className={classes.seat}
        >
          <title>{place.label}</title>
          <rect
            x={x + 2}
            y={y + 2}
            width={SEAT_PITCH_PX - 4}
            height={SEAT_PITCH_PX - 4}
            rx={5}
            style={colorOf(place)}
          />
          <text x={x + SEAT_PITCH_PX / 2} y={y + 15} textAnchor="middle">
            {signOfPlace(place)}
          </text>
        </g>
      ))}
    </g>
  )
})
DrawnRow.displayName = 'DrawnRow'

const colorOf = ({ color }: PlanPlace) => (color === undefined ? undefined : ({ '--ticket': color } as CSSProperties))

/** Nothing is said by colour alone. */
const signOfPlace = ({ state, accessibility, seat }: PlanPlace): string => {
  if (state === 'blocked') return '×'
  if (state === 'claimed') return '●'
  if (accessibility === 'wheelchair') return '♿︎'
  if (accessibility === 'companion') return '+'
  return seat !== null && seat.length <= 3 ? seat : ''
}

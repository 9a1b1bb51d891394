import { ActionIcon, Group, SegmentedControl } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useWords } from '../words.ts'
import { DrawnPlan } from './drawn-plan.tsx'
import { PlaceList } from './place-list.tsx'
import { type PlanPlace, layOutPlaces } from './places.ts'
import classes from './seat-plan.module.css'
import { planWords } from './words.ts'

export interface SeatPlanProps {
  places: readonly PlanPlace[]
  /** Keys of places. */
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
  /** Which places can be picked; all that are free unless told otherwise. */
  isPickable?: (place: PlanPlace) => boolean
  /** With `block`, what a drag touches is handed over at once instead of being picked. */
  mode?: 'pick' | 'block'
  /** The places that were dragged over or clicked, and the one where it began. */
  onBlock?: (places: readonly PlanPlace[], first: PlanPlace) => void
}

const isFree = ({ state }: PlanPlace) => state === 'free'

const SCALES = [0.5, 0.75, 1, 1.25, 1.5, 2]

/** Numbered places as a drawing for the eye and the hand, and as a list for keyboard and screen reader. */
export const SeatPlan = ({
  places,
  selected,
  onSelect,
  isPickable = isFree,
  mode = 'pick',
  onBlock,
}: SeatPlanProps) => {
  const words = useWords(planWords)
  const [view, setView] = useState<'drawn' | 'listed'>('drawn')
  const [scale, setScale] = useState(1)
  const layout = useMemo(() => layOutPlaces(places), [places])
  const zoom = (step: number) => {
    const next = SCALES.indexOf(scale) + step
    setScale(SCALES[Math.max(0, Math.min(SCALES.length - 1, next))]!)
  }

  const touch = (touched: readonly PlanPlace[]) => {
    if (mode === 'block') {
      if (touched.length > 0) onBlock?.(touched, touched[0]!)
      return
    }
    const keys = touched.filter(isPickable).map(({ key }) => key)
    const areAllIn = keys.every((key) => selected.has(key))
    const next = new Set(selected)
    for (const key of keys) {
      if (areAllIn) next.delete(key)
      else next.add(key)
    }
    onSelect(next)
  }

  return (
    <div className={classes.plan}>
      <Group justify="space-between" gap="xs">
        <SegmentedControl
          size="xs"
          aria-label={words.view}
          value={view}
          onChange={(value) => setView(value === 'listed' ? 'listed' : 'drawn')}
          data={[
            { value: 'drawn', label: words.drawn },
            { value: 'listed', label: words.listed },
          ]}
        />
        {view === 'drawn' && (
          <Group gap={4}>
            <ActionIcon
              variant="default"
              aria-label={words.smaller}
              disabled={scale === SCALES[0]}
              onClick={() => zoom(-1)}
            >
              −
            </ActionIcon>
            <ActionIcon
              variant="default"
              aria-label={words.larger}
              disabled={scale === SCALES.at(-1)}
              onClick={() => zoom(1)}
            >
              +
            </ActionIcon>
          </Group>
        )}
      </Group>
      {view === 'drawn' ? (
        <DrawnPlan layout={layout} places={places} selected={selected} scale={scale} onTouch={touch} />
      ) : (
        <PlaceList layout={layout} selected={selected} isPickable={isPickable} mode={mode} onTouch={touch} />
      )}
    </div>
  )
}

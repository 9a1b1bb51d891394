import { Button } from '@mantine/core'
import { useState } from 'react'
import { useFormat } from '../format.ts'
import { useWords } from '../words.ts'
import type { PlacedRow, PlanLayout, PlanPlace } from './places.ts'
import classes from './seat-plan.module.css'
import { planWords } from './words.ts'

interface PlaceListProps {
  layout: PlanLayout
  selected: ReadonlySet<string>
  isPickable: (place: PlanPlace) => boolean
  mode: 'pick' | 'block'
  onTouch: (places: readonly PlanPlace[]) => void
}

/** The same places by name: row by row, a row's places when it is opened. */
export const PlaceList = ({ layout, selected, isPickable, mode, onTouch }: PlaceListProps) => (
  <div>
    {layout.sections.map(({ name, rows }) => (
      <section key={name ?? ''}>
        {name !== null && (
          <h3 className={classes.sectionName} dir="auto">
            {name}
          </h3>
        )}
        {rows.map((row) => (
          <ListedRow
            key={row.id}
            row={row}
            selected={selected}
            canTouch={(place) => mode === 'block' || isPickable(place)}
            onTouch={onTouch}
          />
        ))}
      </section>
    ))}
  </div>
)

interface ListedRowProps {
  row: PlacedRow
  selected: ReadonlySet<string>
  canTouch: (place: PlanPlace) => boolean
  onTouch: (places: readonly PlanPlace[]) => void
}

const ListedRow = ({ row, selected, canTouch, onTouch }: ListedRowProps) => {
  const words = useWords(planWords)
  const { number } = useFormat()
  const [isOpen, setIsOpen] = useState(false)
  const name = row.name === null ? words.noRow : words.row(row.name)
  const free = row.seats.filter(({ place }) => place.state === 'free').length
  const usable = row.seats.map(({ place }) => place).filter(canTouch)
  return (
    <details className={classes.row} open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <strong>{name}</strong> <span>{words.rowSummary(number(row.seats.length), number(free))}</span>
      </summary>
      {isOpen && (
        <>
          <Button size="compact-sm" variant="default" disabled={usable.length === 0} onClick={() => onTouch(usable)}>
            {words.pickRow(name)}
          </Button>
          <ul className={classes.places} aria-label={words.places(name)}>
            {row.seats.map(({ place }) => (
              <li key={place.key}>
                <ListedPlace
                  place={place}
                  isPicked={selected.has(place.key)}
                  isDisabled={!canTouch(place)}
                  onClick={() => onTouch([place])}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  )
}

interface ListedPlaceProps {
  place: PlanPlace
  isPicked: boolean
  isDisabled: boolean
  onClick: () => void
}

const ListedPlace = ({ place, isPicked, isDisabled, onClick }: ListedPlaceProps) => {
  const words = useWords(planWords)
  const facts = [place.accessibility && words[place.accessibility], words.states[place.state]].filter(Boolean)
  return (
    <button
      type="button"
      className={classes.place}
      data-state={place.state}
      aria-pressed={isPicked}
      disabled={isDisabled}
      onClick={onClick}
    >
      <span dir="auto">{place.label}</span> <span>{facts.join(', ')}</span>
    </button>
  )
}

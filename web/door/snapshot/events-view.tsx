import { showDay, wordsOf } from '../base/language.ts'
import { Panel } from '../base/panel.tsx'
import { chosenEvents, events } from '../base/state.ts'
import { words } from './words.ts'

/** Another door: one touch to come here, one to choose. */
export const EventsView = ({
  onChoose,
  onClose,
}: {
  onChoose: (slugs: readonly string[]) => void
  onClose: () => void
}) => {
  const w = wordsOf(words)
  const chosen = chosenEvents.value.map(({ slug }) => slug)
  return (
    <Panel title={w.title} close={w.back} onClose={onClose}>
      <p class="second">{events.value.length === 0 ? w.none : w.hint}</p>
      <ul class="found">
        {events.value.map(({ slug, title, startsAt, venue, isChosen }) => (
          <li key={slug}>
            <div>
              <strong dir="auto">{title}</strong>
              <small>{[showDay(startsAt), venue, isChosen && w.isChosen].filter(Boolean).join(' · ')}</small>
            </div>
            {isChosen && chosen.length > 1 && (
              <button type="button" onClick={() => onChoose(chosen.filter((each) => each !== slug))}>
                {w.notThis}
              </button>
            )}
            {!isChosen && chosen.length > 0 && (
              <button type="button" onClick={() => onChoose([...chosen, slug])}>
                {w.also}
              </button>
            )}
            {(!isChosen || chosen.length > 1) && (
              <button
                type="button"
                class="main"
                onClick={() => {
                  onChoose([slug])
                  onClose()
                }}
              >
                {w.only}
              </button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

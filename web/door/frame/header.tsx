import { currentMinute, serverNow } from '../base/clock.ts'
import { showNumber, wordsOf } from '../base/language.ts'
import { chosenEvents, isOnline, admittedHereCount, unsentScans } from '../base/state.ts'
import { countArrivals } from '../base/tickets.ts'
import { words } from './words.ts'

/** Which door, and how much of what is known is known elsewhere. */
export const Header = ({ onEvents }: { onEvents: () => void }) => {
  const w = wordsOf(words)
  const titles = chosenEvents.value.map(({ title }) => title)
  const { expected, arrived } = countArrivals()
  const unsent = unsentScans.value.length
  return (
    <header class="head">
      <button type="button" class="head-event" onClick={onEvents}>
        <span dir="auto">{titles.length === 0 ? w.noEvent : titles.join(' + ')}</span>
      </button>
      <p class="head-state">
        <span class={isOnline.value ? 'good' : 'warn'}>
          <i class={isOnline.value ? 'dot' : 'ring'} aria-hidden="true" /> {isOnline.value ? w.online : w.offline}
        </span>
        <span>{ageOf(w)}</span>
        <span class={unsent > 0 ? 'warn' : ''}>{w.unsent(unsent)}</span>
      </p>
      <dl class="counters">
        <div>
          <dt>{w.in}</dt>
          <dd>{showNumber(arrived)}</dd>
        </div>
        <div>
          <dt>{w.expected}</dt>
          <dd>{showNumber(expected)}</dd>
        </div>
        <div>
          <dt>{w.mine}</dt>
          <dd>{showNumber(admittedHereCount.value)}</dd>
        </div>
      </dl>
    </header>
  )
}

const ageOf = (w: { noSnapshot: string; snapshot: (minutes: number) => string }) => {
  void currentMinute.value
  const made = chosenEvents.value.map(({ refreshedAt }) => refreshedAt)
  if (made.length === 0 || made.some((at) => at === null)) return w.noSnapshot
  const oldest = Math.min(...made.map((at) => Date.parse(at!)))
  return w.snapshot(Math.max(0, Math.floor((serverNow().getTime() - oldest) / 60_000)))
}

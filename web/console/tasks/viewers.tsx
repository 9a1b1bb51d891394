import { useWords } from '../../ui/words.ts'
import { useOtherViewers } from './presence.ts'
import { initialsOf } from './rules.ts'
import classes from './viewers.module.css'
import { taskWords } from './words.ts'

const SHOWN_MAX = 5

/** Who else is here at this moment, by their initials. `taskId` null: anywhere on the board. */
export const Viewers = ({ taskId }: { taskId: string | null }) => {
  const words = useWords(taskWords)
  const others = useOtherViewers(taskId)
  if (others.length === 0) return null
  const more = others.length - SHOWN_MAX
  const label = words.alsoHere(others.map(({ name }) => name).join(', '))
  return (
    <span className={classes.viewers} role="img" aria-label={label} title={label}>
      {others.slice(0, SHOWN_MAX).map(({ id, name }) => (
        <span key={id} className={classes.viewer} aria-hidden="true" dir="auto">
          {initialsOf(name)}
        </span>
      ))}
      {more > 0 && (
        <span className={classes.viewer} aria-hidden="true">
          +{more}
        </span>
      )}
    </span>
  )
}

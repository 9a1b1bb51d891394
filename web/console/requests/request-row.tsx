import { memo } from 'react'
import { useFormat } from '../../ui/format.ts'
import { useWords } from '../../ui/words.ts'
import classes from './requests.module.css'
import { type DecisionState, type SignupRequest, answerText, companionsWaiting, isDecided } from './rules.ts'
import { requestWords } from './words.ts'

export interface RequestRowProps {
  request: SignupRequest
  zone: string
  /** Null where there is only one link. */
  linkName: string | null
  decision: DecisionState | undefined
  isWaiting: boolean
  isPicked: boolean
  isOpen: boolean
  onToggle: (key: string) => void
  onPick: (key: string, isRange: boolean) => void
  onDecide: (key: string, kind: 'approved' | 'rejected') => void
}

/** Who asks, with whom, and what they answered; the decision beside it. Plain elements, because many pass by quickly. */
export const RequestRow = memo((props: RequestRowProps) => {
  const { request, zone, linkName, decision, isWaiting, isPicked, isOpen, onToggle, onPick } = props
  const words = useWords(requestWords)
  const { date } = useFormat()
  const key = request.public_id
  const isOver = isDecided(decision)
  return (
    <div
      className={classes.row}
      data-picked={isPicked || undefined}
      data-over={isOver || undefined}
      data-open={isOpen || undefined}
    >
      {isWaiting && (
        <input
          type="checkbox"
          className={classes.pick}
          checked={isPicked}
          disabled={isOver}
          aria-label={words.pickThis(request.name)}
          onClick={(event) => onPick(key, event.shiftKey)}
          readOnly
        />
      )}
      <div className={classes.who}>
        <button type="button" className={classes.name} aria-expanded={isOpen} onClick={() => onToggle(key)} dir="auto">
          {request.name}
        </button>
        <span className={classes.contact}>
          {[request.company, request.email, request.phone].filter(Boolean).map((fact) => (
            <span key={fact} dir="auto">
              {fact}
            </span>
          ))}
        </span>
      </div>
      <Companions request={request} isWaiting={isWaiting} />
      <Answers request={request} isOpen={isOpen} />
      <div className={classes.facts}>
        <span>{date(request.created_at, zone, 'moment')}</span>
        {linkName !== null && <span dir="auto">{linkName}</span>}
      </div>
      {isWaiting && <Verdict {...props} />}
    </div>
  )
})

const Companions = ({ request, isWaiting }: { request: SignupRequest; isWaiting: boolean }) => {
  const words = useWords(requestWords)
  const isAddition = isWaiting && request.pending_addition !== null
  const { count, names } = companionsWaiting(request)
  return (
    <div className={classes.companions} data-addition={isAddition || undefined}>
      <span>{isAddition ? words.more(count) : count === 0 ? words.alone : words.companions(count)}</span>
      {names.some(Boolean) && (
        <span className={classes.quiet} dir="auto">
          {names.filter(Boolean).join(', ')}
        </span>
      )}
      {isAddition && <span className={classes.quiet}>{words.alreadyIn(request.total_party_size)}</span>}
    </div>
  )
}

const Answers = ({ request, isOpen }: { request: SignupRequest; isOpen: boolean }) => {
  const words = useWords(requestWords)
  if (request.answers.length === 0) return <div className={classes.answers} />
  return (
    <dl className={classes.answers} data-open={isOpen || undefined}>
      {request.answers.map(({ id, label, value }) => (
        <div key={id}>
          <dt dir="auto">{label}</dt>
          <dd dir="auto">{answerText(value, words.yes, words.no)}</dd>
        </div>
      ))}
    </dl>
  )
}

const Verdict = ({ request, decision, onDecide }: RequestRowProps) => {
  const words = useWords(requestWords)
  const key = request.public_id
  if (decision?.kind === 'approved' || decision?.kind === 'rejected') {
    return (
      <div className={classes.verdict}>
        <span className={classes.decision} data-kind={decision.kind}>
          {words[decision.kind]}
        </span>
      </div>
    )
  }
  const isDeciding = decision?.kind === 'deciding'
  return (
    <div className={classes.verdict}>
      {decision?.kind === 'failed' && <span className={classes.fault}>{decision.message}</span>}
      <button
        type="button"
        className={classes.approve}
        disabled={isDeciding}
        aria-label={words.approveThis(request.name)}
        onClick={() => onDecide(key, 'approved')}
      >
        {isDeciding ? words.deciding : words.approve}
      </button>
      <button
        type="button"
        className={classes.reject}
        disabled={isDeciding}
        aria-label={words.rejectThis(request.name)}
        onClick={() => onDecide(key, 'rejected')}
      >
        {words.reject}
      </button>
    </div>
  )
}

import { createFormat } from '../../ui/format.ts'
import { useWords } from '../../ui/words.ts'
import type { Schemas } from '../../api/client.ts'
import { type LinkSettings, type Question, previewFields } from './rules.ts'
import classes from './signup.module.css'
import { signupWords } from './words.ts'

interface PreviewProps {
  event: Pick<Schemas['Event'], 'title' | 'starts_at' | 'time_zone' | 'venue'>
  settings: LinkSettings
  questions: readonly Question[]
}

/** The public page as these settings make it. Guests read it in English, whatever the house speaks. */
export const SignupPagePreview = ({ event, settings, questions }: PreviewProps) => {
  const words = useWords(signupWords)
  return (
    <aside className={classes.preview} aria-label={words.preview}>
      <strong>{words.preview}</strong>
      <div className={classes.quiet}>{words.previewHint}</div>
      {/* Long pages scroll, by keyboard too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes.sheet} lang="en" role="region" aria-label={words.preview} tabIndex={0}>
        <p className={classes.eyebrow}>Guest list</p>
        <p className={classes.sheetTitle} dir="auto">
          {event.title}
        </p>
        <When event={event} />
        {settings.enabled ? <Form settings={settings} questions={questions} /> : <Closed />}
      </div>
    </aside>
  )
}

const When = ({ event }: Pick<PreviewProps, 'event'>) => {
  const { date } = createFormat('en')
  return (
    <div className={classes.facts}>
      <span>{date(event.starts_at, event.time_zone, 'moment')}</span>
      {event.venue && <span dir="auto">{event.venue.name}</span>}
    </div>
  )
}

const Closed = () => (
  <div className={classes.notice}>
    <strong>This guest list is closed.</strong>
    <div>New signups are not possible any more.</div>
  </div>
)

const Form = ({ settings, questions }: Pick<PreviewProps, 'settings' | 'questions'>) => (
  <>
    <p className={classes.sheetHeading}>Sign up</p>
    <span className={classes.quiet}>
      {settings.approval_mode === 'automatic'
        ? 'Your tickets come by email right away, as long as places are left.'
        : 'Every signup is subject to confirmation. Once it is confirmed, your tickets come by email.'}
    </span>
    {previewFields(settings, questions).map(({ label, isRequired, kind, hint }) => (
      <div key={label} className={classes.field} data-preview-field>
        <span className={classes.fieldLabel}>
          <span dir="auto">{label}</span>
          {!isRequired && <span className={classes.quiet}> (optional)</span>}
        </span>
        {hint && (
          <div className={classes.quiet} dir="auto">
            {hint}
          </div>
        )}
        <div className={classes.control}>{kind === 'count' && 'Just me'}</div>
      </div>
    ))}
    <div className={classes.submit}>Sign up</div>
  </>
)

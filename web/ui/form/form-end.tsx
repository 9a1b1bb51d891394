import { Button, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { isRefusal } from '../../api/client.ts'
import { refusalSentence } from '../refusal-words.ts'
import { useWords } from '../words.ts'
import type { EditState } from './edit.ts'
import classes from './form.module.css'
import { formWords } from './words.ts'

interface FormEndProps<T> {
  edit: EditState<T>
  /** What a field is called, for those that are listed apart from their place in the form. */
  nameOf: (key: string) => string
  /** How a value is shown that says nothing by itself, such as an ID. */
  showValue?: (key: string, value: unknown) => string | undefined
  saveLabel?: string
  /** Stays where it can be reached while the form scrolls. */
  isSticky?: boolean
  /** A form of something new can be sent as it is. */
  isNew?: boolean
  /** A file is still on its way, and is to be saved with the rest. */
  isWaiting?: boolean
  /** Where the fields stand within another form; otherwise the button submits theirs. */
  onSave?: () => void
  children?: ReactNode
}

/** The end of every form: what is wrong, what somebody else did meanwhile, and the button that saves. */
export const FormFooter = <T extends object>({
  edit,
  nameOf,
  showValue,
  saveLabel,
  isSticky = false,
  isNew = false,
  isWaiting = false,
  onSave,
  children,
}: FormEndProps<T>) => {
  const words = useWords(formWords)
  return (
    <>
      <Faults edit={edit} nameOf={nameOf} />
      {edit.conflict && <Conflict edit={edit} nameOf={nameOf} showValue={showValue ?? asItIs} />}
      <div
        className={classes.end}
        data-sticky={isSticky || undefined}
        data-quiet={(isSticky && !edit.isChanged) || undefined}
      >
        <Group gap="xs">
          <Button
            type={onSave ? 'button' : 'submit'}
            onClick={onSave}
            loading={edit.isSaving}
            disabled={isWaiting || (!isNew && !edit.isChanged)}
          >
            {saveLabel ?? words.save}
          </Button>
          {edit.isChanged && !isNew && (
            <Button variant="default" disabled={edit.isSaving} onClick={edit.discard}>
              {words.discard}
            </Button>
          )}
          {children}
        </Group>
        {(isWaiting || (edit.isChanged && !isNew)) && (
          <Text size="sm" c="dimmed" role="status">
            {isWaiting ? words.waiting : words.unsaved}
          </Text>
        )}
      </div>
    </>
  )
}

const Faults = <T,>({ edit, nameOf }: Pick<FormEndProps<T>, 'edit' | 'nameOf'>) => {
  const words = useWords(formWords)
  const faults = Object.entries(edit.faults).filter(([key]) => key !== 'base')
  if (edit.error === null) return null
  return (
    <div className={classes.faults} role="alert">
      {faults.length === 0 || (isRefusal(edit.error) && edit.error.fields['base'])
        ? refusalSentence(edit.error)
        : words.needsLook}
      {faults.length > 0 && (
        <ul>
          {faults.map(([key, message]) => (
            <li key={key}>
              <strong>{nameOf(key)}</strong> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const asItIs = () => undefined

/** Both versions of what two people changed at the same time. */
const Conflict = <T extends object>({
  edit,
  nameOf,
  showValue,
}: Required<Pick<FormEndProps<T>, 'edit' | 'nameOf' | 'showValue'>>) => {
  const words = useWords(formWords)
  const { keys, value: theirs } = edit.conflict!
  return (
    <section className={classes.conflict} role="alert" aria-label={words.conflict}>
      <Title order={2} size="md">
        {words.conflict}
      </Title>
      <Text size="sm">{words.conflictMore}</Text>
      {keys.map((key) => (
        <div key={key} className={classes.versions}>
          <strong>{nameOf(key)}</strong>
          <dl>
            <div>
              <dt>{words.theirs}</dt>
              <dd dir="auto">
                <Shown value={showValue(key, theirs[key]) ?? theirs[key]} />
              </dd>
            </div>
            <div>
              <dt>{words.yours}</dt>
              <dd dir="auto">
                <Shown value={showValue(key, edit.value[key]) ?? edit.value[key]} />
              </dd>
            </div>
          </dl>
          <Button size="compact-sm" variant="default" onClick={() => edit.takeTheirs(key)}>
            {words.takeTheirs(nameOf(key))}
          </Button>
        </div>
      ))}
      <div>
        <Button size="compact-md" onClick={() => void edit.keepMine()}>
          {words.keepMine}
        </Button>
      </div>
    </section>
  )
}

/** A value of a form as a text: of markup what is read, of a list its entries. */
const Shown = ({ value }: { value: unknown }) => {
  const words = useWords(formWords)
  if (typeof value === 'boolean') return value ? words.yes : words.no
  const text = textOf(value)
  return text === '' ? <em>{words.nothing}</em> : text
}

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).join('\n')
  if (typeof value === 'object') return Object.values(value).map(textOf).filter(Boolean).join(', ')
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.includes('<') ? (new DOMParser().parseFromString(text, 'text/html').body.textContent ?? '') : text
}

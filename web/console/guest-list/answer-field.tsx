import { Checkbox, NativeSelect, TextInput, Textarea } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { useWords } from '../../ui/words.ts'
import { guestWords } from './words.ts'

type Question = Schemas['EventQuestion']
type Answer = string | boolean | string[]

interface AnswerFieldProps {
  question: Question
  /** The attendee, where everybody is asked. */
  whose?: string
  value: Answer | undefined
  isDisabled: boolean
  onChange: (value: Answer) => void
}

const INPUT_TYPES: Record<string, string> = { number: 'text', date: 'date', email: 'email', phone: 'tel' }

/** A question of the event as its kind is asked. */
export const AnswerField = ({ question, whose, value, isDisabled, onChange }: AnswerFieldProps) => {
  const words = useWords(guestWords)
  const label = whose === undefined ? question.label : `${question.label} (${whose})`
  const text = typeof value === 'string' ? value : ''
  switch (question.type) {
    case 'checkbox':
      return (
        <Checkbox
          label={label}
          checked={value === true}
          disabled={isDisabled}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )
    case 'multi_select':
      return (
        <Checkbox.Group label={label} value={Array.isArray(value) ? value : []} onChange={onChange}>
          {question.options.map((option) => (
            <Checkbox key={option} value={option} label={option} disabled={isDisabled} mt={4} />
          ))}
        </Checkbox.Group>
      )
    case 'select':
      return (
        <NativeSelect
          label={label}
          value={text}
          disabled={isDisabled}
          onChange={(event) => onChange(event.currentTarget.value)}
          data={[{ value: '', label: words.page.noAnswer }, ...question.options]}
        />
      )
    case 'textarea':
      return (
        <Textarea
          label={label}
          value={text}
          disabled={isDisabled}
          autosize
          dir="auto"
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    default:
      return (
        <TextInput
          label={label}
          type={INPUT_TYPES[question.type] ?? 'text'}
          value={text}
          disabled={isDisabled}
          dir="auto"
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
  }
}

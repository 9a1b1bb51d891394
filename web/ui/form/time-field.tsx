import { TextInput } from '@mantine/core'
import { useWords } from '../words.ts'
import { browserTimeZone } from '../zoned-time.ts'
import { formWords } from './words.ts'

interface TimeFieldProps {
  label: string
  /** As a clock in the zone shows it: 2026-12-31T20:00, or empty. */
  value: string
  onChange: (value: string) => void
  zone: string
  error?: string | undefined
  required?: boolean
  description?: string
}

/** A moment on the clock of the place where the event is; says so where the reader's clock is another. */
export const TimeField = ({ label, value, onChange, zone, error, required = false, description }: TimeFieldProps) => {
  const words = useWords(formWords)
  const isElsewhere = browserTimeZone() !== zone
  const city = zone.split('/').at(-1)!.replaceAll('_', ' ')
  const hint = [description, isElsewhere && words.timeIn(city)].filter(Boolean).join(' · ')
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      required={required}
      withAsterisk={false}
      description={hint === '' ? undefined : hint}
      max="9999-12-31T23:59"
    />
  )
}

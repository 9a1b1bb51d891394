import { NumberInput, SegmentedControl, Select, Switch, Text, TextInput, Title } from '@mantine/core'
import { useId } from 'react'
import { useWords } from '../../ui/words.ts'
import {
  COMPANIONS_MAX,
  FIELD_MODES,
  type FieldMode,
  type LinkSettings,
  type TicketOption,
  ticketsForLinks,
} from './rules.ts'
import classes from './signup.module.css'
import { signupWords } from './words.ts'

interface LinkFormProps {
  settings: LinkSettings
  tickets: readonly TicketOption[]
  faults: Record<string, string>
  onChange: (change: Partial<LinkSettings>) => void
}

/** Every setting of a link. */
export const LinkForm = ({ settings, tickets, faults, onChange }: LinkFormProps) => {
  const words = useWords(signupWords).fields
  return (
    <>
      <TextInput
        label={words.name}
        description={words.nameHint}
        value={settings.name ?? ''}
        onChange={(event) => onChange({ name: event.currentTarget.value === '' ? null : event.currentTarget.value })}
        error={faults['name']}
        autoComplete="off"
      />
      <Switch
        label={words.enabled}
        checked={settings.enabled}
        onChange={(event) => onChange({ enabled: event.currentTarget.checked })}
        error={faults['enabled']}
      />
      <Supply settings={settings} tickets={tickets} faults={faults} onChange={onChange} />
      <Choice
        label={words.approval}
        value={settings.approval_mode}
        onChange={(value) => onChange({ approval_mode: value as LinkSettings['approval_mode'] })}
        data={(['manual', 'automatic'] as const).map((value) => ({ value, label: words.approvals[value] }))}
        orientation="vertical"
        error={faults['approval_mode']}
      />
      <div className={classes.pair}>
        <NumberInput
          label={words.capacity}
          description={words.capacityHint}
          value={settings.capacity}
          onChange={(value) => onChange({ capacity: Number(value) })}
          min={1}
          allowDecimal={false}
          error={faults['capacity']}
        />
        <NumberInput
          label={words.companions}
          value={settings.max_companions}
          onChange={(value) => onChange({ max_companions: Number(value) })}
          min={0}
          max={COMPANIONS_MAX}
          allowDecimal={false}
          error={faults['max_companions']}
        />
      </div>
      <Asked settings={settings} tickets={tickets} faults={faults} onChange={onChange} />
    </>
  )
}

const Supply = ({ settings, tickets, faults, onChange }: LinkFormProps) => {
  const words = useWords(signupWords).fields
  const ticket = tickets.find(({ id }) => id === settings.ticket_id)
  const areas = ticket?.inventory_kind === 'standing' ? ticket.standing_areas : []
  return (
    <div className={classes.pair}>
      <Select
        label={words.ticket}
        value={settings.ticket_id === null ? null : String(settings.ticket_id)}
        // The area of another ticket says nothing about this one.
        onChange={(value) =>
          onChange({ ticket_id: value === null ? null : Number(value), event_capacity_pool_id: null })
        }
        data={ticketsForLinks(tickets).map(({ id, title }) => ({ value: String(id), label: title }))}
        error={faults['ticket_id']}
        allowDeselect={false}
      />
      {areas.length > 0 && (
        <Select
          label={words.area}
          value={settings.event_capacity_pool_id === null ? null : String(settings.event_capacity_pool_id)}
          onChange={(value) => onChange({ event_capacity_pool_id: value === null ? null : Number(value) })}
          data={areas.map(({ id, name }) => ({ value: String(id), label: name }))}
          error={faults['event_capacity_pool_id']}
        />
      )}
    </div>
  )
}

const Asked = ({ settings, faults, onChange }: LinkFormProps) => {
  const all = useWords(signupWords)
  const words = all.fields
  const modes = FIELD_MODES.map((value) => ({ value, label: words.modes[value] }))
  const mode = (key: 'company_field' | 'phone_field' | 'companion_names_field', label: string, disabled = false) => (
    <Choice
      label={label}
      value={settings[key]}
      onChange={(value) => onChange({ [key]: value as FieldMode })}
      data={modes}
      error={faults[key]}
      disabled={disabled}
    />
  )
  return (
    <>
      <Title order={2} size="lg" className={classes.legend}>
        {all.asked}
      </Title>
      {mode('company_field', words.company)}
      {mode('phone_field', words.phone)}
      {mode('companion_names_field', words.companionNames, settings.max_companions === 0)}
      <Switch
        label={words.questions}
        checked={settings.asks_questions}
        onChange={(event) => onChange({ asks_questions: event.currentTarget.checked })}
        error={faults['asks_questions']}
      />
    </>
  )
}

interface ChoiceProps {
  label: string
  value: string
  onChange: (value: string) => void
  data: { value: string; label: string }[]
  orientation?: 'vertical'
  error: string | undefined
  disabled?: boolean
}

/** A few choices that are all seen. */
const Choice = ({ label, value, onChange, data, orientation, error, disabled = false }: ChoiceProps) => {
  const id = useId()
  return (
    <div>
      <Text size="sm" fw={600} id={id} mb={4}>
        {label}
      </Text>
      <SegmentedControl
        aria-labelledby={id}
        value={value}
        onChange={onChange}
        data={data}
        fullWidth
        disabled={disabled}
        {...(orientation && { orientation })}
      />
      {error && (
        <Text size="xs" c="var(--bad)" role="alert">
          {error}
        </Text>
      )}
    </div>
  )
}

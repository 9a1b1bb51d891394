import { MultiSelect, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useWords } from '../../ui/words.ts'
import { type Assignment, eventsQuery } from './queries.ts'
import { ASSIGNABLE_ROLES, type AssignableRole } from './rules.ts'
import { teamWords } from './words.ts'

interface AssignmentFieldsProps {
  assignment: Assignment
  onChange: (assignment: Assignment) => void
  faults: Readonly<Record<string, string>>
}

/** A role, said in plain words, and for co-organizers their events. */
export const AssignmentFields = ({ assignment, onChange, faults }: AssignmentFieldsProps) => {
  const words = useWords(teamWords)
  const events = useQuery(eventsQuery)
  const { role, event_ids: eventIds = [] } = assignment
  // Events that are not listed any more stay given until somebody takes them away.
  const titles = new Map(events.data?.events.map(({ id, title }) => [id, title]))
  const known = [...new Set([...titles.keys(), ...eventIds])]
  return (
    <>
      <Select
        label={words.role}
        value={role}
        onChange={(value) => onChange({ ...assignment, role: value as AssignableRole })}
        data={ASSIGNABLE_ROLES.map((value) => ({ value, label: words.roles[value] }))}
        allowDeselect={false}
        error={faults['role']}
      />
      <Text size="sm" c="dimmed">
        {words.roleSentences[role]}
      </Text>
      {role === 'co_organizer' && (
        <MultiSelect
          label={words.events}
          description={words.eventsHint}
          value={eventIds.map(String)}
          onChange={(values) => onChange({ ...assignment, event_ids: values.map(Number) })}
          data={known.map((id) => ({ value: String(id), label: titles.get(id) ?? `#${id}` }))}
          searchable
          error={faults['event_ids']}
        />
      )}
    </>
  )
}

/** Only co-organizers have events; what was picked before another role was is not sent. */
export const sentAssignment = ({ role, event_ids: eventIds = [] }: Assignment): Assignment =>
  role === 'co_organizer' ? { role, event_ids: eventIds } : { role }

import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { RichTextField } from '../../ui/editor/rich-text-field.tsx'
import { TimeField } from '../../ui/form/time-field.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { useWords } from '../../ui/words.ts'
import { PERFORMER_LINK_NAMES, type PerformerForm, emptyPerformer } from './details-form.ts'
import { ImageField } from '../../ui/image-field/image-field.tsx'
import { moveUp, replaceAt, withoutAt } from './lists.ts'
import classes from './setting-up.module.css'
import { setupWords } from './words.ts'

interface PerformersSectionProps {
  value: PerformerForm[]
  onChange: (performers: PerformerForm[]) => void
  faults: Readonly<Record<string, string>>
  zone: string
}

export const PerformersSection = ({ value, onChange, faults, zone }: PerformersSectionProps) => {
  const words = useWords(setupWords).performer
  return (
    <>
      {value.length === 0 && (
        <Text size="sm" c="dimmed">
          {words.nobody}
        </Text>
      )}
      {value.map((performer, n) => (
        // Their order is all that tells two of them apart.
        // oxlint-disable-next-line react/no-array-index-key
        <fieldset key={n} className={classes.card}>
          <div className={classes.cardHead}>
            <strong dir="auto">{performer.name || words.unnamed}</strong>
            <Group gap="xs">
              <Button size="compact-sm" variant="default" disabled={n === 0} onClick={() => onChange(moveUp(value, n))}>
                {words.up(performer.name || words.unnamed)}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => onChange(withoutAt(value, n))}>
                {words.remove(performer.name || words.unnamed)}
              </Button>
            </Group>
          </div>
          <Performer
            performer={performer}
            onChange={(changes) => onChange(replaceAt(value, n, { ...performer, ...changes }))}
            faultOf={(key) => faults[`performers[${n}].${key}`]}
            zone={zone}
          />
        </fieldset>
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<PlusIcon size={16} />}
          onClick={() => onChange([...value, emptyPerformer()])}
        >
          {words.add}
        </Button>
      </div>
    </>
  )
}

interface PerformerProps {
  performer: PerformerForm
  onChange: (changes: Partial<PerformerForm>) => void
  faultOf: (key: string) => string | undefined
  zone: string
}

const Performer = ({ performer, onChange, faultOf, zone }: PerformerProps) => {
  const words = useWords(setupWords).performer
  return (
    <>
      <div className={classes.fields}>
        <TextInput
          label={words.name}
          value={performer.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
          error={faultOf('name')}
          dir="auto"
        />
        <NativeSelect
          label={words.performer_type}
          value={performer.performer_type}
          onChange={(event) => onChange({ performer_type: event.currentTarget.value as never })}
          data={(['performing_group', 'person'] as const).map((value) => ({ value, label: words.types[value] }))}
        />
        <NativeSelect
          label={words.role}
          value={performer.role}
          onChange={(event) => onChange({ role: event.currentTarget.value as never })}
          data={(['headliner', 'support', 'guest'] as const).map((value) => ({ value, label: words.roles[value] }))}
        />
        <TextInput
          label={words.genre}
          value={performer.genre}
          onChange={(event) => onChange({ genre: event.currentTarget.value })}
          error={faultOf('genre')}
          dir="auto"
        />
        <TimeField
          label={words.starts_at}
          value={performer.starts_at}
          onChange={(starts_at) => onChange({ starts_at })}
          error={faultOf('starts_at')}
          zone={zone}
        />
        <TimeField
          label={words.ends_at}
          value={performer.ends_at}
          onChange={(ends_at) => onChange({ ends_at })}
          error={faultOf('ends_at')}
          zone={zone}
        />
      </div>
      <RichTextField
        label={words.bio}
        value={performer.bio}
        onChange={(bio) => onChange({ bio })}
        error={faultOf('bio')}
      />
      <ImageField
        label={words.image}
        value={performer.image}
        onChange={(image) => onChange({ image })}
        error={faultOf('image')}
      />
      <details>
        <summary>{words.links}</summary>
        <div className={classes.fields}>
          {PERFORMER_LINK_NAMES.map((name) => (
            <TextInput
              key={name}
              type="url"
              label={words.linkNames[name]}
              value={performer.links[name]}
              onChange={(event) => onChange({ links: { ...performer.links, [name]: event.currentTarget.value } })}
              error={faultOf(`links.${name}`)}
            />
          ))}
        </div>
        {faultOf('links') && (
          <Text size="sm" c="bad" role="alert">
            {faultOf('links')}
          </Text>
        )}
      </details>
    </>
  )
}

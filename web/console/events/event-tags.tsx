import { Badge } from '@mantine/core'
import { useNow } from '../../ui/now.ts'
import { useWords } from '../../ui/words.ts'
import { type Event, type EventTag, eventTagsOf } from './rules.ts'
import { eventWords } from './words.ts'

const COLOURS: Record<EventTag, string> = {
  cancelled: 'bad',
  draft: 'warn',
  unlisted: 'gray',
  archived: 'gray',
  over: 'gray',
}

export const EventTags = ({ event, without }: { event: Event; without?: EventTag }) => {
  const words = useWords(eventWords)
  return eventTagsOf(event, useNow())
    .filter((tag) => tag !== without)
    .map((tag) => (
      <Badge key={tag} color={COLOURS[tag]} variant="light" tt="none" radius="sm">
        {words.tags[tag]}
      </Badge>
    ))
}

import { creationBody } from '../../definitions/bodies.ts'
import { defineThing } from '../../definitions/define.ts'
import { eventDefinition } from '../definitions.ts'

const { slug, title, starts_at } = eventDefinition.fields

/** What is said of a copy; its title is the original's where none is sent. */
const copyDefinition = defineThing({ slug, title: { ...title, isMade: true as const }, starts_at })

export const CopyBody = creationBody('event', copyDefinition, () => ({}))

export type CopyInput = ReturnType<typeof CopyBody.read>

import { list } from '../loading/fields.ts'
import { type EventSection, idsByKey } from '../loading/section.ts'
import {
  FaqItem,
  type FaqItemInput,
  Performer,
  type PerformerInput,
  Question,
  type QuestionInput,
} from './venue-inputs.ts'
import { keepImageOf } from './venue-images.ts'
import { insertFaqItems, insertPerformers, insertQuestions } from './venue-records.ts'

export const questionsSection: EventSection<QuestionInput[]> = {
  key: 'questions',
  schema: () => list(Question, 'key'),
  load: async ({ tx }, event, questions) => {
    const ids = await insertQuestions(tx, event.id, questions)
    for (const [n, { key: name, label, type, scope }] of questions.entries()) {
      event.questions.set(name, { id: ids[n]!, label, type, scope })
    }
    return idsByKey(event.questions)
  },
}

export const performersSection: EventSection<PerformerInput[]> = {
  key: 'performers',
  schema: (terms) => list(Performer(terms)),
  load: async (context, event, performers, place) => {
    const pictured = []
    for (const [n, performer] of performers.entries()) {
      pictured.push({ ...performer, image: await keepImageOf(context, performer.image, [...place, n, 'image']) })
    }
    await insertPerformers(context.tx, event.id, pictured)
  },
}

export const faqItemsSection: EventSection<FaqItemInput[]> = {
  key: 'faq_items',
  schema: () => list(FaqItem),
  load: ({ tx }, event, items) => insertFaqItems(tx, event.id, items),
}

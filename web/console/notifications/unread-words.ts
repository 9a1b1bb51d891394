import { defineWords } from '../../ui/words.ts'

/** Apart from the words of the inbox, because every page shows them. */
export const unreadWords = defineWords(
  { unread: (count: number) => `${count} unread` },
  { unread: (count) => `${count} ungelesen` },
)

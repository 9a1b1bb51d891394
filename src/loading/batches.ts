/** Rows are fetched so many at a time: few enough to be forgotten again soon. */
const BATCH_ROWS = 100

export interface BatchAfterId {
  /** The ID of the last row of the batch before, 0 for the first. */
  afterId: number
  limit: number
}

/** All rows in the order of their IDs, of which no more than one batch is held at a time. */
export async function* inBatches<Row extends { id: number }>(
  find: (request: BatchAfterId) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let afterId = 0
  for (;;) {
    const batch = await find({ afterId, limit: BATCH_ROWS })
    yield* batch
    if (batch.length < BATCH_ROWS) return
    afterId = batch.at(-1)!.id
  }
}

/** A text that the list has already gets a number behind it, because the file knows its things by it. */
export const numberDuplicateTexts = (texts: readonly string[]): string[] => {
  const given = new Set<string>()
  const taken = new Set(texts)
  return texts.map((text) => {
    let name = text
    for (let n = 2; given.has(name) || (name !== text && taken.has(name)); n++) name = numbered(text, n)
    given.add(name)
    return name
  })
}

const TEXT_MAX = 255

const numbered = (text: string, n: number) => {
  const ending = ` (${n})`
  return (
    Array.from(text)
      .slice(0, TEXT_MAX - ending.length)
      .join('') + ending
  )
}

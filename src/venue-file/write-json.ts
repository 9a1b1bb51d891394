const isStreamed = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

const holdsStreams = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.values(value).some(isStreamed)

/** The JSON of a value whose lists may be read while they are written: one line for each of their things. */
async function* piecesOf(value: unknown): AsyncGenerator<string> {
  if (isStreamed(value)) {
    let before = '[\n'
    for await (const item of value) {
      yield before
      yield* piecesOf(item)
      before = ',\n'
    }
    yield before === '[\n' ? '[]' : '\n]'
  } else if (holdsStreams(value)) {
    let before = '{'
    for (const [key, part] of Object.entries(value)) {
      if (part === undefined) continue
      yield `${before}${JSON.stringify(key)}:`
      yield* piecesOf(part)
      before = ',\n'
    }
    yield '}'
  } else yield JSON.stringify(value)
}

const PIECE_LENGTH = 32 * 1024

/** The same in pieces that are worth sending. */
export async function* writeJson(value: unknown): AsyncGenerator<string> {
  let piece = ''
  for await (const part of piecesOf(value)) {
    piece += part
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    piece = ''
  }
  yield `${piece}\n`
}

/** One line of the text format of Prometheus. */
export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

/** Reads what Prometheus would read; a line that it could not read fails. */
export const readSamples = (text: string): Sample[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, labels = '', value] = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? []
      if (name === undefined || value === undefined) throw new Error(`No sample of Prometheus: ${line}`)
      const pairs = labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)
      return { name, value: Number(value), labels: Object.fromEntries(Array.from(pairs, ([, key, of]) => [key, of])) }
    })

/** The sum of all samples of that name which have these labels; null when there is none. */
export const valueOf = (samples: readonly Sample[], name: string, labels: Record<string, string> = {}) => {
  const found = samples.filter(
    (each) => each.name === name && Object.entries(labels).every(([key, of]) => each.labels[key] === of),
  )
  return found.length === 0 ? null : found.reduce((sum, { value }) => sum + value, 0)
}

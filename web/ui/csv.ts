/** A text that a spreadsheet would take for a formula is marked as text. */
const cellOf = (text: string): string => {
  const defused = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",;\r\n]/.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused
}

/** Rows as a spreadsheet opens them, with a mark in front by which it knows the encoding. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((cells) => cells.map(cellOf).join(',')).join('\r\n')}\r\n`

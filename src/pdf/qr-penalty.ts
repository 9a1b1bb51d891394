/** The modules of a code of at most 31 on each side: a number for each row and for each column, a bit for each module. */
export interface Lines {
  rows: Int32Array
  columns: Int32Array
}

const RUN = 1
const BLOCK = 3
const FINDER = 40
const IMBALANCE = 10

/** How much a code disturbs scanners, by the four rules of ISO/IEC 18004: all modules of a line are looked at together. */
export const penaltyOf = ({ rows, columns }: Lines, size: number): number => {
  let penalty = 0
  let darkCount = 0
  let [above, pairsAbove] = [0, 0]
  for (let y = 0; y < size; y += 1) {
    const row = rows[y]!
    const pairs = equalPairs(row, size)
    penalty += lineOf(row, pairs, size) + lineOf(columns[y]!, equalPairs(columns[y]!, size), size)
    if (y > 0) penalty += BLOCK * countBits(pairs & pairsAbove & ~(row ^ above))
    above = row
    pairsAbove = pairs
    darkCount += countBits(row)
  }
  return penalty + IMBALANCE * Math.floor(10 * Math.abs((2 * darkCount) / size ** 2 - 1))
}

/** Where a module is of the same colour as the next one. */
const equalPairs = (line: number, size: number) => ~(line ^ (line >>> 1)) & ((1 << (size - 1)) - 1)

const lineOf = (line: number, pairs: number, size: number): number => {
  // Four equal pairs in a row are five modules; each such place counts, and the first of a run three times.
  const fives = pairs & (pairs >>> 1) & (pairs >>> 2) & (pairs >>> 3)
  const runs = countBits(fives) + 2 * countBits(fives & ~(fives << 1))
  return RUN * runs + FINDER * countBits(findersIn(line, size))
}

/** What looks like the eye of a code, 1:1:3:1:1 with four light modules beside it, at its left end. */
const findersIn = (line: number, size: number): number => {
  const light = ~line
  const eye = line & (light >>> 1) & (line >>> 2) & (line >>> 3) & (line >>> 4) & (light >>> 5) & (line >>> 6)
  const gap = light & (light >>> 1) & (light >>> 2) & (light >>> 3)
  const places = (1 << (size - 10)) - 1
  return ((eye & (gap >>> 7)) | (gap & (eye >>> 4))) & places
}

const countBits = (bits: number): number => {
  let count = bits - ((bits >>> 1) & 0x55555555)
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333)
  return (((count + (count >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}

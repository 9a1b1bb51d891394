import type { ClusterGlyph, Face } from './face.ts'
import { encodeOutline } from './outline.ts'
import { graphemesOf } from './clusters.ts'

const UNITS_PER_EM = 1000
const ADVANCE = 700
const HEIGHT = 660
const STROKE = 60

const corners = (left: number, bottom: number, right: number, top: number) =>
  [
    { x: left, y: bottom },
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
  ].map((point) => ({ ...point, onCurve: true }))

/** The inner side runs the other way round, which leaves it empty. */
const BOX = encodeOutline([
  corners(80, 0, ADVANCE - 80, HEIGHT),
  corners(80 + STROKE, STROKE, ADVANCE - 80 - STROKE, HEIGHT - STROKE).toReversed(),
])

/** What no font can write is a box as large as a letter, one for each, that can be copied like any other. */
export const MISSING_GLYPH_FACE: Face = {
  name: 'Box',
  unitsPerEm: UNITS_PER_EM,
  ascender: HEIGHT,
  descender: 0,
  common: [],
  covers: () => true,
  shape: (text, direction) => {
    const clusters = graphemesOf(text)
    const glyphs = clusters.map((cluster, index) => ({
      glyph: boxFor(cluster),
      x: ADVANCE * (direction === 'rtl' ? clusters.length - 1 - index : index),
    }))
    return { glyphs, direction, width: (clusters.length * ADVANCE) / UNITS_PER_EM, depth: 0 }
  },
}

const boxFor = (text: string): ClusterGlyph => ({ text, outline: BOX, advance: ADVANCE })

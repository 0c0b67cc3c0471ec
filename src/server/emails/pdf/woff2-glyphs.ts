import { ByteReader } from './byte-reader.ts'

const ON_CURVE = 1
const SAME_X = 16
const SAME_Y = 32
const OVERLAPS = 64
const COMPOSITE = 0xffff
/** Flags of a component of a composite glyph. */
const PART = { words: 1, scale: 8, more: 32, twoScales: 64, matrix: 128, instructions: 256 }

interface Streams {
  contours: ByteReader
  points: ByteReader
  flags: ByteReader
  glyphs: ByteReader
  composites: ByteReader
  boxes: ByteReader
  instructions: ByteReader
}

interface Point {
  x: number
  y: number
  isOnCurve: boolean
}

/** Undoes the transform of the tables `glyf` and `loca`; `leftEdges` are the glyphs' smallest x, which `hmtx` may need. */
export function rebuildGlyphs(table: Buffer): { glyf: Buffer; loca: Buffer; leftEdges: number[] } {
  const header = new ByteReader(table, 2)
  const options = header.u16()
  const count = header.u16()
  header.u16()
  const sizes = Array.from({ length: 7 }, () => header.u32())
  const parts = sizes.map((size) => new ByteReader(header.take(size)))
  const [contours, points, flags, glyphs, composites, boxes, instructions] = parts as [
    ByteReader,
    ByteReader,
    ByteReader,
    ByteReader,
    ByteReader,
    ByteReader,
    ByteReader,
  ]
  const streams: Streams = { contours, points, flags, glyphs, composites, boxes, instructions }
  const hasBox = bitmap(boxes.take(4 * Math.floor((count + 31) / 32)))
  const overlaps = options & 1 ? bitmap(header.take(Math.ceil(count / 8))) : () => false
  const loca = Buffer.alloc(4 * (count + 1))
  const leftEdges: number[] = []
  const rebuilt: Buffer[] = []
  let offset = 0
  for (let glyph = 0; glyph < count; glyph++) {
    loca.writeUInt32BE(offset, 4 * glyph)
    const bytes = rebuildGlyph(streams, hasBox(glyph), overlaps(glyph))
    leftEdges.push(bytes.length === 0 ? 0 : bytes.readInt16BE(2))
    rebuilt.push(bytes)
    offset += bytes.length
  }
  loca.writeUInt32BE(offset, 4 * count)
  return { glyf: Buffer.concat(rebuilt), loca, leftEdges }
}

/** Undoes the transform of `hmtx`: side bearings equal to the glyphs' left edges are omitted. */
export function rebuildMetrics(table: Buffer, widthCount: number, leftEdges: readonly number[]): Buffer {
  const reader = new ByteReader(table)
  const flags = reader.u8()
  const widths = Array.from({ length: widthCount }, () => reader.u16())
  const bearings = leftEdges.map((edge, glyph) => ((flags >> (glyph < widthCount ? 0 : 1)) & 1 ? edge : reader.i16()))
  const metrics = Buffer.alloc(4 * widthCount + 2 * (leftEdges.length - widthCount))
  let at = 0
  for (const [glyph, bearing] of bearings.entries()) {
    if (glyph < widthCount) at = metrics.writeUInt16BE(widths[glyph] ?? 0, at)
    at = metrics.writeInt16BE(bearing, at)
  }
  return metrics
}

function bitmap(bytes: Buffer): (index: number) => boolean {
  return (index) => ((bytes[index >> 3] ?? 0) & (128 >> (index & 7))) !== 0
}

function rebuildGlyph(streams: Streams, hasBox: boolean, overlaps: boolean): Buffer {
  const count = streams.contours.u16()
  if (count === 0) return Buffer.alloc(0)
  return padded(count === COMPOSITE ? rebuildComposite(streams) : rebuildSimple(streams, count, hasBox, overlaps))
}

function padded(bytes: Buffer): Buffer {
  return bytes.length % 4 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(4 - (bytes.length % 4))])
}

function rebuildComposite({ composites, boxes, glyphs, instructions }: Streams): Buffer {
  const start = composites.at
  let flags: number
  let hasInstructions = false
  do {
    flags = composites.u16()
    composites.take(2 + (flags & PART.words ? 4 : 2))
    if (flags & PART.scale) composites.take(2)
    else if (flags & PART.twoScales) composites.take(4)
    else if (flags & PART.matrix) composites.take(8)
    hasInstructions ||= (flags & PART.instructions) !== 0
  } while (flags & PART.more)
  const contourCount = Buffer.from([0xff, 0xff])
  const parts = [contourCount, boxes.take(8), composites.bytes.subarray(start, composites.at)]
  if (hasInstructions) parts.push(...withLength(instructions.take(glyphs.short255())))
  return Buffer.concat(parts)
}

function withLength(instructions: Buffer): [Buffer, Buffer] {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(instructions.length)
  return [length, instructions]
}

function rebuildSimple(
  { points: pointCounts, flags, glyphs, boxes, instructions }: Streams,
  contourCount: number,
  hasBox: boolean,
  overlaps: boolean,
): Buffer {
  const ends = Buffer.alloc(2 * contourCount)
  let pointCount = 0
  for (let contour = 0; contour < contourCount; contour++) {
    pointCount += pointCounts.short255()
    ends.writeUInt16BE(pointCount - 1, 2 * contour)
  }
  const points: Point[] = []
  let [x, y] = [0, 0]
  for (let index = 0; index < pointCount; index++) {
    const flag = flags.u8()
    const [dx, dy] = readStep(flag & 127, glyphs)
    x += dx
    y += dy
    points.push({ x, y, isOnCurve: flag < 128 })
  }
  const code = withLength(instructions.take(glyphs.short255()))
  const head = Buffer.alloc(10)
  head.writeInt16BE(contourCount, 0)
  if (hasBox) boxes.take(8).copy(head, 2)
  else writeBox(head, points)
  return Buffer.concat([head, ends, ...code, ...writePoints(points, overlaps)])
}

/** Decodes the offset of the next point, in the triplet encoding of WOFF2 (section 5.2). */
function readStep(flag: number, reader: ByteReader): [dx: number, dy: number] {
  const signed = (bits: number, value: number) => (bits & 1 ? value : -value)
  const first = reader.u8()
  if (flag < 10) return [0, signed(flag, ((flag & 14) << 7) + first)]
  if (flag < 20) return [signed(flag, (((flag - 10) & 14) << 7) + first), 0]
  if (flag < 84) {
    const rest = flag - 20
    return [signed(flag, 1 + (rest & 48) + (first >> 4)), signed(flag >> 1, 1 + ((rest & 12) << 2) + (first & 15))]
  }
  const second = reader.u8()
  if (flag < 120) {
    const rest = flag - 84
    return [
      signed(flag, 1 + (Math.floor(rest / 12) << 8) + first),
      signed(flag >> 1, 1 + (((rest % 12) >> 2) << 8) + second),
    ]
  }
  const third = reader.u8()
  if (flag < 124) return [signed(flag, (first << 4) + (second >> 4)), signed(flag >> 1, ((second & 15) << 8) + third)]
  return [signed(flag, (first << 8) + second), signed(flag >> 1, (third << 8) + reader.u8())]
}

function writeBox(head: Buffer, points: readonly Point[]): void {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  head.writeInt16BE(Math.min(...xs), 2)
  head.writeInt16BE(Math.min(...ys), 4)
  head.writeInt16BE(Math.max(...xs), 6)
  head.writeInt16BE(Math.max(...ys), 8)
}

/** Writes one flag per point and 16-bit deltas: valid, though not the shortest encoding. */
function writePoints(points: readonly Point[], overlaps: boolean): Buffer[] {
  const flags = Buffer.alloc(points.length)
  const steps = { x: [] as number[], y: [] as number[] }
  let before = { x: 0, y: 0 }
  for (const [index, point] of points.entries()) {
    const [dx, dy] = [point.x - before.x, point.y - before.y]
    flags[index] =
      (point.isOnCurve ? ON_CURVE : 0) |
      (dx === 0 ? SAME_X : 0) |
      (dy === 0 ? SAME_Y : 0) |
      (index === 0 && overlaps ? OVERLAPS : 0)
    if (dx !== 0) steps.x.push(dx)
    if (dy !== 0) steps.y.push(dy)
    before = point
  }
  return [flags, shorts(steps.x), shorts(steps.y)]
}

function shorts(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length)
  for (const [index, value] of values.entries()) bytes.writeInt16BE(value, 2 * index)
  return bytes
}

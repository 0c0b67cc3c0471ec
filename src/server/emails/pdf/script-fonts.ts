import * as hb from 'harfbuzzjs'
import {
  beginText,
  endText,
  PDFHexString,
  PDFOperator,
  PDFOperatorNames,
  setFillingColor,
  setFontAndSize,
  setTextMatrix,
  showText,
  type PDFDocument,
  type PDFPage,
  type PDFRef,
  type RGB,
} from 'pdf-lib'
import { embedFont } from './embed-font.ts'
import { listFontFiles, type FontFile, type Weight } from './font-files.ts'
import type { Style } from './document-fonts.ts'
import { splitIntoRuns, type FindFont, type TextRun } from './text-runs.rules.ts'
import { subsetFont } from './subset-font.ts'

/** The fonts of a document for any script; its texts must be known in advance. */
export interface ScriptFonts {
  width(text: string, style: Style, size: number): number
  draw(page: PDFPage, text: string, at: { x: number; y: number; size: number; color: RGB; style: Style }): void
}

/** The standard PDF font. */
const STANDARD = 'standard'
type Source = FontFile | typeof STANDARD

interface Glyph {
  id: number
  /** The index of its cluster in the text of the run. */
  cluster: number
  /** The text of its cluster; empty for all but the first glyph of a cluster. */
  text: string
  /** In thousandths of the font size. */
  advance: number
  x: number
  y: number
}

interface LoadedFont {
  font: hb.Font
  scale: number
  /** By direction and text. */
  shaped: Map<string, readonly Glyph[]>
}

interface EmbeddedFont extends LoadedFont {
  ref: PDFRef
}

interface Text {
  text: string
  style: Style
  isStandard(part: string): boolean
}

const JOINER = /[\u200c\u200d]/u
const LATIN = /\p{Script=Latin}/u
/** Shown as the base of an isolated mark. */
const DOTTED_CIRCLE = '\u25cc'
const BRACKETS = '()[]{}<>«»'

export async function prepareScriptFonts(pdf: PDFDocument, texts: readonly Text[]): Promise<ScriptFonts> {
  const characters = new Set(texts.flatMap(({ text }) => [...everyForm(text)]))
  const covers = await readCoverage(characters)
  const finders = new Map<string, FindFont<Source>>()
  const needed = new Map<
    string,
    { file: FontFile; weight: Weight; characters: Set<string>; pieces: TextRun<Source>[] }
  >()
  for (const text of texts) {
    finders.set(
      keyOf(text.style),
      finderFor(
        texts.filter(({ style }) => keyOf(style) === keyOf(text.style)),
        covers,
      ),
    )
  }
  for (const { text, style } of texts) {
    for (const piece of splitIntoRuns(text, finderOf(style))) {
      if (piece.font === STANDARD) continue
      const { weight } = style
      const key = `${piece.font.name} ${weight}`
      const known = needed.get(key) ?? { file: piece.font, weight, characters: new Set<string>(), pieces: [] }
      needed.set(key, known)
      known.pieces.push(piece)
      for (const character of everyForm(piece.text + DOTTED_CIRCLE + BRACKETS)) known.characters.add(character)
    }
  }
  const embedded = new Map<string, EmbeddedFont>()
  for (const [key, { file, weight, characters: wanted, pieces }] of needed) {
    const bytes = await subsetFont(await file.read(weight), codesOf(wanted), weight)
    const face = new hb.Face(new hb.Blob(bytes))
    const font: LoadedFont = { font: new hb.Font(face), scale: 1_000 / face.upem, shaped: new Map() }
    const glyphs = pieces.flatMap((piece) => shape(font, piece))
    embedded.set(key, { ...font, ref: embedFont(pdf, { ...font, bytes, name: file.name, glyphs }) })
  }

  function finderOf(style: Style): FindFont<Source> {
    return finders.get(keyOf(style)) ?? (() => null)
  }

  function fontOf({ font }: TextRun<Source>, { weight }: Style): EmbeddedFont | null {
    return font === STANDARD ? null : (embedded.get(`${font.name} ${weight}`) ?? null)
  }

  function widthOf(piece: TextRun<Source>, style: Style, size: number): number {
    const font = fontOf(piece, style)
    if (!font) return style.standard.widthOfTextAtSize(piece.text, size)
    return (shape(font, piece).reduce((sum, { advance }) => sum + advance, 0) * size) / 1_000
  }

  return {
    width(text, style, size) {
      return splitIntoRuns(text, finderOf(style)).reduce((sum, piece) => sum + widthOf(piece, style, size), 0)
    },
    draw(page, text, { x, y, size, color, style }) {
      let left = x
      for (const piece of splitIntoRuns(text, finderOf(style))) {
        const font = fontOf(piece, style)
        if (font) drawPiece(page, piece, { font, x: left, y, size, color })
        else page.drawText(piece.text, { x: left, y, size, color, font: style.standard })
        left += widthOf(piece, style, size)
      }
    },
  }
}

function keyOf({ standard, weight }: Style): string {
  return `${standard.name} ${weight}`
}

/** The characters of all four Unicode normalization forms: shaping may need any of them. */
function everyForm(text: string): Set<string> {
  return new Set(
    [text.normalize('NFC'), text.normalize('NFD'), text.normalize('NFKC'), text.normalize('NFKD')].join(''),
  )
}

function codesOf(characters: Iterable<string>): number[] {
  return Array.from(characters, (character) => character.codePointAt(0) ?? 0)
}

const knownCoverage = new Map<FontFile, ReadonlySet<number>>()

/** The files that have any of these characters, in search order, each with its full coverage. */
async function readCoverage(characters: ReadonlySet<string>): Promise<Map<FontFile, ReadonlySet<number>>> {
  const files = await listFontFiles()
  const read = new Map<FontFile, ReadonlySet<number>>()
  const coverage = async (file: FontFile) => {
    const covered = knownCoverage.get(file) ?? coverageOf(await file.read(700))
    knownCoverage.set(file, covered)
    return covered
  }
  for (const code of codesOf(characters)) {
    for (const file of files.filter(({ has }) => has(code))) {
      const covered = await coverage(file)
      read.set(file, covered)
      if (covered.has(code)) break
    }
  }
  return new Map(files.flatMap((file) => [[file, read.get(file)] as const]).filter(isRead))
}

function isRead(entry: readonly [FontFile, ReadonlySet<number> | undefined]): entry is [FontFile, ReadonlySet<number>] {
  return entry[1] !== undefined
}

function coverageOf(font: Buffer): ReadonlySet<number> {
  return new Set(new hb.Face(new hb.Blob(font)).collectUnicodes())
}

/** All Latin characters of one style use the same font: the standard one if it covers all of them. */
function finderFor(texts: readonly Text[], covers: ReadonlyMap<FontFile, ReadonlySet<number>>): FindFont<Source> {
  const isStandard = texts[0]?.isStandard ?? (() => false)
  const needsMore = texts.some(({ text }) =>
    Array.from(text).some((character) => LATIN.test(character) && !isStandard(character)),
  )
  const has = (file: FontFile, part: string) => {
    const needed = Array.from(part).filter((character) => !JOINER.test(character))
    return needed.length > 0 && codesOf(needed).every((code) => covers.get(file)?.has(code))
  }
  return (part, before) => {
    if (!needsMore && isStandard(part)) return STANDARD
    if (before !== null && before !== STANDARD && has(before, part)) return before
    for (const file of covers.keys()) if (has(file, part)) return file
    return isStandard(part) ? STANDARD : null
  }
}

function shape(font: LoadedFont, piece: TextRun<Source>): readonly Glyph[] {
  const key = `${piece.isRightToLeft ? 'right' : 'left'} ${piece.text}`
  const glyphs = font.shaped.get(key) ?? shapeNew(font, piece)
  font.shaped.set(key, glyphs)
  return glyphs
}

function shapeNew({ font, scale }: LoadedFont, { text, isRightToLeft }: TextRun<Source>): Glyph[] {
  const buffer = new hb.Buffer()
  buffer.addText(text)
  buffer.guessSegmentProperties()
  buffer.setDirection(isRightToLeft ? hb.Direction.RTL : hb.Direction.LTR)
  hb.shape(font, buffer)
  const positions = buffer.getGlyphPositions()
  const infos = buffer.getGlyphInfos()
  const starts = [...new Set(infos.map(({ cluster }) => cluster))].sort((a, b) => a - b)
  const seen = new Set<number>()
  return infos.map(({ codepoint: id, cluster }, index) => {
    const isFirst = !seen.has(cluster)
    seen.add(cluster)
    const end = starts[starts.indexOf(cluster) + 1] ?? text.length
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
    return {
      id,
      cluster,
      text: isFirst ? text.slice(cluster, end) : '',
      advance: xAdvance * scale,
      x: xOffset * scale,
      y: yOffset * scale,
    }
  })
}

function drawPiece(
  page: PDFPage,
  piece: TextRun<Source>,
  { font, x, y, size, color }: { font: EmbeddedFont; x: number; y: number; size: number; color: RGB },
): void {
  const key = page.node.newFontDictionary('Script', font.ref)
  const unit = size / 1_000
  const operators = [beginText(), setFillingColor(color), setFontAndSize(key, size)]
  let left = x
  for (const cluster of clustersOf(shape(font, piece))) {
    const placed = cluster.map((glyph) => {
      const at = setTextMatrix(1, 0, 0, 1, left + glyph.x * unit, y + glyph.y * unit)
      left += glyph.advance * unit
      return { glyph, shown: [at, showText(PDFHexString.of(glyph.id.toString(16).padStart(4, '0')))] }
    })
    // PDF readers reorder right-to-left text themselves, so each cluster gets its own text: on its base glyph, and none on its marks.
    const [base, ...marks] = placed.toSorted((one, other) => other.glyph.advance - one.glyph.advance)
    if (piece.isRightToLeft && base && marks.length > 0) {
      const text = cluster.map((glyph) => glyph.text).join('')
      operators.push(
        ...readAs(text, base.shown),
        ...readAs(
          '',
          marks.flatMap(({ shown }) => shown),
        ),
      )
    } else operators.push(...placed.flatMap(({ shown }) => shown))
  }
  operators.push(endText())
  page.pushOperators(...(piece.isRightToLeft ? operators : readAs(piece.text, operators)))
}

/** Groups glyphs by cluster: one character, or characters that were joined. */
function clustersOf(glyphs: readonly Glyph[]): Glyph[][] {
  const clusters: Glyph[][] = []
  for (const glyph of glyphs) {
    const last = clusters.at(-1)
    if (last?.[0]?.cluster === glyph.cluster) last.push(glyph)
    else clusters.push([glyph])
  }
  return clusters
}

/** Adds the text for searching and copying, which glyphs alone do not give where characters join or are reordered. */
function readAs(text: string, operators: readonly PDFOperator[]): PDFOperator[] {
  const properties = `<</ActualText ${PDFHexString.fromText(text).toString()}>>`
  return [
    PDFOperator.of(PDFOperatorNames.BeginMarkedContentSequence, ['/Span', properties]),
    ...operators,
    PDFOperator.of(PDFOperatorNames.EndMarkedContent),
  ]
}

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
import type { Style } from './paper-fonts.ts'
import { piecesOf, type FindFont, type Piece } from './pieces.rules.ts'
import { subsetFont } from './subset-font.ts'

/** Fonts of a document for the letters of any script; its texts are known before. */
export interface ScriptFonts {
  width(text: string, style: Style, size: number): number
  draw(page: PDFPage, text: string, place: { x: number; y: number; size: number; color: RGB; style: Style }): void
}

/** The typeface every reader has. */
const STANDARD = 'standard'
type Source = FontFile | typeof STANDARD

interface Glyph {
  id: number
  /** Where its letter begins in the piece. */
  cluster: number
  /** What it stands for, of the text; empty for the further glyphs of one letter. */
  text: string
  /** In thousandths of the size. */
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
/** Shown below a mark that stands alone. */
const DOTTED_CIRCLE = '\u25cc'
const BRACKETS = '()[]{}<>«»'

export async function prepareScriptFonts(pdf: PDFDocument, texts: readonly Text[]): Promise<ScriptFonts> {
  const letters = new Set(texts.flatMap(({ text }) => [...everyForm(text)]))
  const covers = await readCoverage(letters)
  const finders = new Map<string, FindFont<Source>>()
  const needed = new Map<string, { file: FontFile; weight: Weight; letters: Set<string>; pieces: Piece<Source>[] }>()
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
    for (const piece of piecesOf(text, finderOf(style))) {
      if (piece.font === STANDARD) continue
      const { weight } = style
      const key = `${piece.font.name} ${weight}`
      const known = needed.get(key) ?? { file: piece.font, weight, letters: new Set<string>(), pieces: [] }
      needed.set(key, known)
      known.pieces.push(piece)
      for (const letter of everyForm(piece.text + DOTTED_CIRCLE + BRACKETS)) known.letters.add(letter)
    }
  }
  const embedded = new Map<string, EmbeddedFont>()
  for (const [key, { file, weight, letters: wanted, pieces }] of needed) {
    const bytes = await subsetFont(await file.read(weight), codesOf(wanted), weight)
    const face = new hb.Face(new hb.Blob(bytes))
    const font: LoadedFont = { font: new hb.Font(face), scale: 1_000 / face.upem, shaped: new Map() }
    const glyphs = pieces.flatMap((piece) => shape(font, piece))
    embedded.set(key, { ...font, ref: embedFont(pdf, { ...font, bytes, name: file.name, glyphs }) })
  }

  function finderOf(style: Style): FindFont<Source> {
    return finders.get(keyOf(style)) ?? (() => null)
  }

  function fontOf({ font }: Piece<Source>, { weight }: Style): EmbeddedFont | null {
    return font === STANDARD ? null : (embedded.get(`${font.name} ${weight}`) ?? null)
  }

  function widthOf(piece: Piece<Source>, style: Style, size: number): number {
    const font = fontOf(piece, style)
    if (!font) return style.standard.widthOfTextAtSize(piece.text, size)
    return (shape(font, piece).reduce((sum, { advance }) => sum + advance, 0) * size) / 1_000
  }

  return {
    width(text, style, size) {
      return piecesOf(text, finderOf(style)).reduce((sum, piece) => sum + widthOf(piece, style, size), 0)
    },
    draw(page, text, { x, y, size, color, style }) {
      let left = x
      for (const piece of piecesOf(text, finderOf(style))) {
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

/** A letter as it is written, taken apart, and in its plain form: joining letters may need each of these. */
function everyForm(text: string): Set<string> {
  return new Set(
    [text.normalize('NFC'), text.normalize('NFD'), text.normalize('NFKC'), text.normalize('NFKD')].join(''),
  )
}

function codesOf(letters: Iterable<string>): number[] {
  return Array.from(letters, (letter) => letter.codePointAt(0) ?? 0)
}

const knownCoverage = new Map<FontFile, ReadonlySet<number>>()

/** Files that have one of these letters, each with all the letters it really has, in the order in which they are looked through. */
async function readCoverage(letters: ReadonlySet<string>): Promise<Map<FontFile, ReadonlySet<number>>> {
  const files = await listFontFiles()
  const read = new Map<FontFile, ReadonlySet<number>>()
  const coverage = async (file: FontFile) => {
    const covered = knownCoverage.get(file) ?? coverageOf(await file.read(700))
    knownCoverage.set(file, covered)
    return covered
  }
  for (const code of codesOf(letters)) {
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

/** Latin letters of one style are all drawn alike: by the standard typeface when it has every one of them. */
function finderFor(texts: readonly Text[], covers: ReadonlyMap<FontFile, ReadonlySet<number>>): FindFont<Source> {
  const isStandard = texts[0]?.isStandard ?? (() => false)
  const needsMore = texts.some(({ text }) =>
    Array.from(text).some((letter) => LATIN.test(letter) && !isStandard(letter)),
  )
  const has = (file: FontFile, part: string) => {
    const needed = Array.from(part).filter((letter) => !JOINER.test(letter))
    return needed.length > 0 && codesOf(needed).every((code) => covers.get(file)?.has(code))
  }
  return (part, before) => {
    if (!needsMore && isStandard(part)) return STANDARD
    if (before !== null && before !== STANDARD && has(before, part)) return before
    for (const file of covers.keys()) if (has(file, part)) return file
    return isStandard(part) ? STANDARD : null
  }
}

function shape(font: LoadedFont, piece: Piece<Source>): readonly Glyph[] {
  const key = `${piece.isRightToLeft ? 'right' : 'left'} ${piece.text}`
  const glyphs = font.shaped.get(key) ?? shapeNew(font, piece)
  font.shaped.set(key, glyphs)
  return glyphs
}

function shapeNew({ font, scale }: LoadedFont, { text, isRightToLeft }: Piece<Source>): Glyph[] {
  const buffer = new hb.Buffer()
  buffer.addText(text)
  buffer.guessSegmentProperties()
  buffer.setDirection(isRightToLeft ? hb.Direction.RTL : hb.Direction.LTR)
  hb.shape(font, buffer)
  const positions = buffer.getGlyphPositions()
  const infos = buffer.getGlyphInfos()
  const starts = [...new Set(infos.map(({ cluster }) => cluster))].sort((a, b) => a - b)
  const told = new Set<number>()
  return infos.map(({ codepoint: id, cluster }, index) => {
    const isFirst = !told.has(cluster)
    told.add(cluster)
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
  piece: Piece<Source>,
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
    // From right to left, readers put letters in order themselves, so that each is told by itself: its letter, and nothing for its marks.
    const [letter, ...marks] = placed.toSorted((one, other) => other.glyph.advance - one.glyph.advance)
    if (piece.isRightToLeft && letter && marks.length > 0) {
      const text = cluster.map((glyph) => glyph.text).join('')
      operators.push(
        ...readAs(text, letter.shown),
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

/** Glyphs of one letter or of letters that were joined. */
function clustersOf(glyphs: readonly Glyph[]): Glyph[][] {
  const clusters: Glyph[][] = []
  for (const glyph of glyphs) {
    const last = clusters.at(-1)
    if (last?.[0]?.cluster === glyph.cluster) last.push(glyph)
    else clusters.push([glyph])
  }
  return clusters
}

/** What is read and copied: the glyphs alone do not tell it, where letters join or change places. */
function readAs(text: string, operators: readonly PDFOperator[]): PDFOperator[] {
  const words = `<</ActualText ${PDFHexString.fromText(text).toString()}>>`
  return [
    PDFOperator.of(PDFOperatorNames.BeginMarkedContentSequence, ['/Span', words]),
    ...operators,
    PDFOperator.of(PDFOperatorNames.EndMarkedContent),
  ]
}

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import * as hb from 'harfbuzzjs'
import { listFontFiles } from './font-files.ts'
import { decodeWoff2 } from './woff2.ts'
import { splitIntoRuns } from './text-runs.rules.ts'
import type { Typefaces } from '#contract/brand/brand.ts'

const require = createRequire(import.meta.url)
const WEIGHT = 700

/** The typeface of headings; names in other scripts, and devices' own typefaces, are drawn in Noto Sans. */
const HEADING_FILES: Partial<Record<Typefaces, string>> = {
  'eczar-anek': '@fontsource-variable/eczar/files/eczar-latin-wght-normal.woff2',
  eczar: '@fontsource-variable/eczar/files/eczar-latin-wght-normal.woff2',
  anek: '@fontsource-variable/anek-latin/files/anek-latin-latin-wght-normal.woff2',
}

export interface OutlinedText {
  /** For an SVG path that begins at the left end of the baseline. */
  path: string
  width: number
}

/** Draws lines of text as outlines: a picture of them needs no font on the server. */
export async function outlineText(
  lines: readonly string[],
  { typefaces, size }: { typefaces: Typefaces; size: number },
): Promise<OutlinedText[]> {
  const fonts = await fontsFor(lines.join(' '), typefaces)
  const find = (characters: string) =>
    fonts.find(({ covers }) => Array.from(characters).every((one) => covers.has(one.codePointAt(0) ?? 0))) ?? null
  return lines.map((line) => {
    let [path, width] = ['', 0]
    for (const run of splitIntoRuns(line, find)) {
      const { font, unitsPerEm } = run.font
      const scale = size / unitsPerEm
      const buffer = new hb.Buffer()
      buffer.addText(run.text)
      buffer.guessSegmentProperties()
      buffer.setDirection(run.isRightToLeft ? hb.Direction.RTL : hb.Direction.LTR)
      hb.shape(font, buffer)
      const positions = buffer.getGlyphPositions()
      for (const [index, { codepoint }] of buffer.getGlyphInfos().entries()) {
        const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
        path += placed(font.glyphToPath(codepoint), { scale, x: width + xOffset * scale, y: -yOffset * scale })
        width += xAdvance * scale
      }
    }
    return { path, width }
  })
}

interface LoadedFont {
  font: hb.Font
  unitsPerEm: number
  covers: ReadonlySet<number>
}

async function fontsFor(text: string, typefaces: Typefaces): Promise<LoadedFont[]> {
  const heading = HEADING_FILES[typefaces]
  const fonts = heading ? [load(decodeWoff2(await readFile(require.resolve(heading))))] : []
  const codes = new Set(Array.from(text, (one) => one.codePointAt(0) ?? 0))
  for (const file of await listFontFiles()) {
    const missing = [...codes].filter((code) => !fonts.some(({ covers }) => covers.has(code)))
    if (missing.length === 0) break
    if (missing.some((code) => file.has(code))) fonts.push(load(await file.read(WEIGHT)))
  }
  return fonts
}

function load(bytes: Buffer): LoadedFont {
  const face = new hb.Face(new hb.Blob(bytes))
  const font = new hb.Font(face)
  font.setVariations([new hb.Variation('wght', WEIGHT)])
  return { font, unitsPerEm: face.upem, covers: new Set(face.collectUnicodes()) }
}

/** Scales and moves a path, whose commands all have absolute pairs of coordinates with the y axis upward. */
function placed(path: string, { scale, x, y }: { scale: number; x: number; y: number }): string {
  return path.replaceAll(
    /(-?[\d.]+)[ ,](-?[\d.]+)/g,
    (_, left: string, up: string) => `${(x + Number(left) * scale).toFixed(1)} ${(y - Number(up) * scale).toFixed(1)}`,
  )
}

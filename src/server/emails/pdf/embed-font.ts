import { createHash } from 'node:crypto'
import type { Font } from 'harfbuzzjs'
import { PDFHexString, PDFString, type PDFDocument, type PDFRef } from 'pdf-lib'

/** Sans serif, with a custom encoding. */
const SYMBOLIC = 4
const STEM = 80
const MOST_MAPPINGS = 100

/** Embeds a TrueType font, with glyphs addressed by id and a ToUnicode map for searching and copying. */
export function embedFont(
  pdf: PDFDocument,
  {
    bytes,
    font,
    scale,
    name,
    glyphs,
  }: { bytes: Uint8Array; font: Font; scale: number; name: string; glyphs: readonly { id: number; text: string }[] },
): PDFRef {
  const { context } = pdf
  const baseFont = `${tagOf(bytes)}+${name.replaceAll(/[^A-Za-z0-9-]/g, '')}`
  const { ascent, descent, box, glyphCount } = measuresOf(bytes, scale)
  const descriptor = context.register(
    context.obj({
      Type: 'FontDescriptor',
      FontName: baseFont,
      Flags: SYMBOLIC,
      FontBBox: box,
      ItalicAngle: 0,
      Ascent: ascent,
      Descent: descent,
      CapHeight: ascent,
      StemV: STEM,
      FontFile2: context.register(context.flateStream(bytes, { Length1: bytes.length })),
    }),
  )
  const widths = Array.from({ length: glyphCount }, (_, id) => font.glyphHAdvance(id) * scale)
  const descendant = context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'CIDFontType2',
      BaseFont: baseFont,
      CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
      CIDToGIDMap: 'Identity',
      FontDescriptor: descriptor,
      W: [0, widths],
    }),
  )
  return context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: baseFont,
      Encoding: 'Identity-H',
      DescendantFonts: [descendant],
      ToUnicode: context.register(context.flateStream(toUnicode(glyphs))),
    }),
  )
}

/** The tag of a font subset: six capital letters derived from its content so that rendering is deterministic. */
function tagOf(bytes: Uint8Array): string {
  const digest = createHash('sha256').update(bytes).digest()
  return Array.from(digest.subarray(0, 6), (byte) => String.fromCharCode(65 + (byte % 26))).join('')
}

function measuresOf(bytes: Uint8Array, scale: number) {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const table = (tag: string): number => {
    for (let index = 0; index < file.readUInt16BE(4); index++) {
      const at = 12 + 16 * index
      if (file.toString('latin1', at, at + 4) === tag) return file.readUInt32BE(at + 8)
    }
    throw new Error(`A font has no table ${tag}.`)
  }
  const [head, hhea] = [table('head'), table('hhea')]
  return {
    box: [36, 38, 40, 42].map((at) => file.readInt16BE(head + at) * scale),
    ascent: file.readInt16BE(hhea + 4) * scale,
    descent: file.readInt16BE(hhea + 6) * scale,
    glyphCount: file.readUInt16BE(table('maxp') + 4),
  }
}

function toUnicode(glyphs: readonly { id: number; text: string }[]): string {
  const texts = new Map<number, string>()
  for (const { id, text } of glyphs) if (text !== '' && !texts.has(id)) texts.set(id, text)
  const lines = [...texts].map(([id, text]) => {
    const code = id.toString(16).padStart(4, '0')
    return `<${code}> <${PDFHexString.fromText(text).asString().replace(/^FEFF/i, '')}>`
  })
  const blocks: string[] = []
  for (let from = 0; from < lines.length; from += MOST_MAPPINGS) {
    const some = lines.slice(from, from + MOST_MAPPINGS)
    blocks.push(`${some.length} beginbfchar\n${some.join('\n')}\nendbfchar`)
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`
}

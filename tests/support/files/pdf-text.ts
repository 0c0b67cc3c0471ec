import { decodePDFRawStream, PDFArray, PDFDict, PDFDocument, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'

/** The text of a document's first page, as programs that copy text see it. */
export interface PdfText {
  /** All text in drawing order. */
  text: string
  /** Glyph numbers of embedded fonts; 0 is the box for a missing glyph. */
  glyphs: number[]
  embeddedFonts: string[]
}

export async function readPdf(bytes: Uint8Array): Promise<PdfText> {
  const pdf = await PDFDocument.load(bytes)
  const { node } = pdf.getPage(0)
  const fonts = node.Resources()?.lookup(PDFName.of('Font'), PDFDict)
  const embedded = new Map<string, { name: string; texts: Map<string, string> }>()
  for (const [key] of fonts?.entries() ?? []) {
    const font = fonts?.lookup(key, PDFDict)
    if (font?.get(PDFName.of('Subtype')) !== PDFName.of('Type0')) continue
    const map = contentOf(font.lookup(PDFName.of('ToUnicode')))
    const texts = [...map.matchAll(/^<([0-9a-f]{4})> <([0-9A-F]+)>$/gm)]
    embedded.set(key.asString(), {
      name: String(font.get(PDFName.of('BaseFont'))),
      texts: new Map(texts.map(([, code = '', text = '']) => [code, fromUtf16(text)])),
    })
  }
  const contents = node.Contents()
  const streams = contents instanceof PDFArray ? contents.asArray() : [contents]
  const drawn = streams
    .map((stream) => contentOf(stream instanceof PDFRef ? pdf.context.lookup(stream) : stream))
    .join('\n')
  const glyphs: number[] = []
  let text = ''
  let font = ''
  let isReplaced = false
  const operator = /\/Span <<\/ActualText <FEFF([0-9A-F]*)>>> BDC|(EMC)|\/(\S+) [\d.]+ Tf|<([0-9A-Fa-f]*)> Tj/g
  for (const [, actualText, end, fontKey, shown] of drawn.matchAll(operator)) {
    if (fontKey !== undefined) font = `/${fontKey}`
    else if (end !== undefined) isReplaced = false
    else if (actualText !== undefined) {
      text += fromUtf16(actualText)
      isReplaced = true
    } else if (shown !== undefined) {
      const known = embedded.get(font)
      if (known) glyphs.push(Number.parseInt(shown, 16))
      if (!isReplaced) text += known ? (known.texts.get(shown) ?? '') : Buffer.from(shown, 'hex').toString('latin1')
    }
  }
  return { text, glyphs, embeddedFonts: [...embedded.values()].map(({ name }) => name) }
}

function contentOf(stream: unknown): string {
  if (!(stream instanceof PDFRawStream)) throw new Error('This is no stream of a PDF.')
  return Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1')
}

function fromUtf16(hex: string): string {
  return Buffer.from(hex, 'hex').swap16().toString('utf16le')
}

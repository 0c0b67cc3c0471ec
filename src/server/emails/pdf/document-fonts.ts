import type { PDFDocument, PDFFont, PDFPage, RGB } from 'pdf-lib'
import type { ScriptFonts } from './script-fonts.ts'
import type { Weight } from './font-files.ts'

/** A standard PDF font, which covers Western characters; others are drawn with Noto Sans in this weight. */
export interface Style {
  standard: PDFFont
  weight: Weight
}

export interface DocumentFonts {
  width(text: string, style: Style, size: number): number
  draw(page: PDFPage, text: string, at: { x: number; y: number; size: number; color: RGB; style: Style }): void
}

/** Prepares fonts for these texts. Loads nothing if all characters are Western. */
export async function prepareDocumentFonts(
  pdf: PDFDocument,
  texts: readonly { text: string; style: Style }[],
): Promise<DocumentFonts> {
  const known = new Map<PDFFont, ReadonlySet<number>>()
  for (const { style } of texts) known.set(style.standard, new Set(style.standard.getCharacterSet()))
  const isWestern = (text: string, { standard }: Style) => {
    const characters = known.get(standard)
    return Array.from(text.normalize('NFC')).every((character) => characters?.has(character.codePointAt(0) ?? 0))
  }
  const others = texts.filter(({ text, style }) => !isWestern(text, style))
  let scripts: ScriptFonts | null = null
  if (others.length > 0) {
    const { prepareScriptFonts } = await import('./script-fonts.ts')
    scripts = await prepareScriptFonts(
      pdf,
      others.map(({ text, style }) => ({ text, style, isStandard: (part: string) => isWestern(part, style) })),
    )
  }
  return {
    width(text, style, size) {
      const plain = text.normalize('NFC')
      if (isWestern(plain, style)) return style.standard.widthOfTextAtSize(plain, size)
      return scripts?.width(plain, style, size) ?? 0
    },
    draw(page, text, { style, ...at }) {
      const plain = text.normalize('NFC')
      if (isWestern(plain, style)) page.drawText(plain, { ...at, font: style.standard })
      else scripts?.draw(page, plain, { style, ...at })
    },
  }
}

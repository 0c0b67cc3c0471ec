import type { PDFDocument, RGB } from 'pdf-lib'
import { facesOf } from '#contract/brand/brand.ts'
import { paletteOf, type Colors } from '#contract/brand/palette.ts'
import type { Association } from '#contract/public/association.ts'
import type { Style } from './document-fonts.ts'

/** US Letter, in points. */
export const PAGE = { width: 612, height: 792 } as const

export interface BegunPdf {
  pdf: PDFDocument
  /** The color `#rrggbb`. */
  rgb(hex: string): RGB
  colors: Colors
  /** The styles of the association's documents. */
  styles: { heading: Style; text: Style; bold: Style }
}

/** Begins a document in English. Its date is given, so that the same content is the same file. */
export async function beginPdf({
  title,
  association: { name, brand },
  at,
}: {
  title: string
  association: Pick<Association, 'name' | 'brand'>
  at: number
}): Promise<BegunPdf> {
  // Loaded on first use: it takes 20 MB.
  const { PDFDocument: Pdf, rgb, StandardFonts } = await import('pdf-lib')
  const pdf = await Pdf.create()
  pdf.setTitle(title, { showInWindowTitleBar: true })
  pdf.setAuthor(name)
  pdf.setLanguage('en-US')
  pdf.setCreationDate(new Date(at))
  pdf.setModificationDate(new Date(at))
  const fonts = {
    serif: { 400: StandardFonts.TimesRoman, 700: StandardFonts.TimesRomanBold },
    sans: { 400: StandardFonts.Helvetica, 700: StandardFonts.HelveticaBold },
  }
  const { heading, text } = facesOf(brand?.typefaces)
  const styles = {
    heading: { standard: await pdf.embedFont(fonts[heading][700]), weight: 700 },
    text: { standard: await pdf.embedFont(fonts[text][400]), weight: 400 },
    bold: { standard: await pdf.embedFont(fonts[text][700]), weight: 700 },
  } as const
  const toRgb = (hex: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
      (start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255,
    )
    return rgb(red, green, blue)
  }
  return { pdf, rgb: toRgb, colors: paletteOf(brand).light, styles }
}

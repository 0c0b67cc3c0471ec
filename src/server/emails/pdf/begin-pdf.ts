import type { PDFDocument, RGB } from 'pdf-lib'
import type { Style } from './document-fonts.ts'

/** US Letter, in points. */
export const PAGE = { width: 612, height: 792 } as const

export interface BegunPdf {
  pdf: PDFDocument
  rgb(red: number, green: number, blue: number): RGB
  /** The styles of the association's documents. */
  styles: { serif: Style; sans: Style; bold: Style }
}

/** Begins a document in English. Its date is given, so that the same content is the same file. */
export async function beginPdf({
  title,
  author,
  at,
}: {
  title: string
  author: string
  at: number
}): Promise<BegunPdf> {
  // Loaded on first use: it takes 20 MB.
  const { PDFDocument: Pdf, rgb, StandardFonts } = await import('pdf-lib')
  const pdf = await Pdf.create()
  pdf.setTitle(title, { showInWindowTitleBar: true })
  pdf.setAuthor(author)
  pdf.setLanguage('en-US')
  pdf.setCreationDate(new Date(at))
  pdf.setModificationDate(new Date(at))
  const styles = {
    serif: { standard: await pdf.embedFont(StandardFonts.TimesRomanBold), weight: 700 },
    sans: { standard: await pdf.embedFont(StandardFonts.Helvetica), weight: 400 },
    bold: { standard: await pdf.embedFont(StandardFonts.HelveticaBold), weight: 700 },
  } as const
  return { pdf, rgb, styles }
}

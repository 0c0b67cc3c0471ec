import type { Association } from '#contract/public/association.ts'
import { postalLine } from './email.ts'
import { beginPdf, PAGE } from './pdf/begin-pdf.ts'
import { prepareDocumentFonts, type Style } from './pdf/document-fonts.ts'
import { wrapText } from './pdf/wrap-text.rules.ts'

const MARGIN = 64
const WIDTH = PAGE.width - 2 * MARGIN
const STRIP = { height: 12, blocks: 25 }
const STRIP_COLORS = ['deep', 'clay', 'saffron', 'clay', 'teal'] as const

export interface Receipt {
  number: string
  paidAt: number
  /** The same lines as in the email. */
  details: readonly [label: string, value: string][]
  /** Paragraphs below them, such as about tax. */
  notes: readonly string[]
  /** The payment record was voided; the receipt keeps its number. */
  isCanceled?: boolean
}

/** A PDF, such as a receipt or certificate: one page, and more only for long lists. */
export interface PdfDocumentContent extends Pick<Receipt, 'details' | 'notes'> {
  /** The PDF's title. */
  title: string
  heading: string
  /** The date of the document. It is used as the PDF's creation date, so that rendering is deterministic. */
  createdAt: number
}

export function renderReceiptPdf(
  { number, paidAt, isCanceled, ...content }: Receipt,
  association: Association,
): Promise<Uint8Array> {
  const heading = isCanceled ? 'Receipt, canceled' : 'Receipt'
  return renderPdf({ ...content, title: `Receipt ${number}`, heading, createdAt: paidAt }, association)
}

/** Renders US Letter pages in the colors of the emails. */
export async function renderPdf(paper: PdfDocumentContent, association: Association): Promise<Uint8Array> {
  const { title, createdAt } = paper
  const { pdf, rgb, colors, styles } = await beginPdf({ title, association, at: createdAt })
  const { heading, text, bold } = styles
  const sender = `${postalLine(association)} · ${association.email}`
  const fonts = await prepareDocumentFonts(pdf, [
    { text: association.name, style: heading },
    { text: paper.heading, style: heading },
    ...[sender, ...paper.notes, ...paper.details.map(([label]) => label)].map((words) => ({
      text: words,
      style: text,
    })),
    ...paper.details.map(([, value]) => ({ text: value, style: bold })),
  ])
  let page = pdf.addPage([PAGE.width, PAGE.height])
  let y = PAGE.height

  for (let block = 0; block < STRIP.blocks; block++) {
    const width = PAGE.width / STRIP.blocks
    const color = rgb(colors[STRIP_COLORS[block % STRIP_COLORS.length] ?? 'heading'])
    page.drawRectangle({ x: block * width, y: y - STRIP.height, width, height: STRIP.height, color })
  }
  y -= 84
  write(association.name, { style: heading, size: 20, color: colors.heading, leading: 24 })
  write(sender, { style: text, size: 10, color: colors['ink-soft'], leading: 14 })
  y -= 34
  write(paper.heading, { style: heading, size: 34, color: colors.heading, leading: 42 })
  y -= 8
  for (const [label, value] of paper.details) writeDetail(label, value)
  y -= 30
  for (const note of paper.notes) {
    write(note, { style: text, size: 11, color: colors.ink, leading: 16 })
    y -= 12
  }
  return pdf.save()

  function write(
    words: string,
    { style, size, color, leading }: { style: Style; size: number; color: string; leading: number },
  ): void {
    for (const line of wrapText(words, (line) => fonts.width(line, style, size) <= WIDTH)) {
      requireRoom(leading)
      fonts.draw(page, line, { x: MARGIN, y, style, size, color: rgb(color) })
      y -= leading
    }
  }

  /** Continues on another page where the current one has no room left. */
  function requireRoom(height: number): void {
    if (y - height >= MARGIN) return
    page = pdf.addPage([PAGE.width, PAGE.height])
    y = PAGE.height - MARGIN
  }

  function writeDetail(label: string, value: string): void {
    requireRoom(28)
    fonts.draw(page, label, { x: MARGIN, y, style: text, size: 11, color: rgb(colors['ink-soft']) })
    for (const line of wrapText(value, (line) => fonts.width(line, bold, 11) <= WIDTH - 120)) {
      fonts.draw(page, line, { x: MARGIN + 120, y, style: bold, size: 11, color: rgb(colors.ink) })
      y -= 16
    }
    page.drawLine({
      start: { x: MARGIN, y: y + 5 },
      end: { x: MARGIN + WIDTH, y: y + 5 },
      thickness: 0.75,
      color: rgb(colors.line),
    })
    y -= 12
  }
}

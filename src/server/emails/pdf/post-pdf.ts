import type { Association } from '#contract/public/association.ts'
import { postalLine } from '../email.ts'
import { beginPdf, PAGE } from './begin-pdf.ts'
import { prepareDocumentFonts, type Style } from './document-fonts.ts'
import { wrapText } from './wrap-text.rules.ts'

const MARGIN = 72
const WIDTH = PAGE.width - 2 * MARGIN
/** The top of the address, where the window of a #10 envelope shows it when the letter is folded in three. */
const ADDRESS_TOP = PAGE.height - 150
const BODY_TOP = PAGE.height - 270

export interface Letters {
  title: string
  /** As printed. */
  date: string
  /** Paragraphs are separated by empty lines. */
  text: string
  /** The PDF's creation date, so that rendering is deterministic. */
  createdAt: number
  /** The name and the postal address of each recipient, line by line. */
  addresses: readonly (readonly string[])[]
}

/** Renders the same letter to each recipient on US Letter pages; each letter begins on a page of its own. */
export async function renderLettersPdf(
  { title, date, text, createdAt, addresses }: Letters,
  association: Association,
): Promise<Uint8Array> {
  const { pdf, rgb, colors, styles } = await beginPdf({ title, association, at: createdAt })
  const sender = `${postalLine(association)} · ${association.email}`
  const lines = text.split('\n').map((line) => line.trim())
  const fonts = await prepareDocumentFonts(pdf, [
    { text: association.name, style: styles.heading },
    ...[sender, date, ...lines, ...addresses.flat()].map((words) => ({ text: words, style: styles.text })),
  ])
  // The text is the same in every letter, so it is broken into lines once.
  const body = lines.flatMap((line) =>
    line === '' ? [''] : wrapText(line, (part) => fonts.width(part, styles.text, 11) <= WIDTH),
  )

  for (const address of addresses) {
    let page = pdf.addPage([PAGE.width, PAGE.height])
    const write = (words: string, y: number, { style, size, color }: { style: Style; size: number; color: string }) =>
      fonts.draw(page, words, { x: MARGIN, y, style, size, color: rgb(color) })
    const soft = { style: styles.text, size: 9, color: colors['ink-soft'] }
    const ink = { style: styles.text, size: 11, color: colors.ink }
    write(association.name, PAGE.height - 72, { style: styles.heading, size: 16, color: colors.heading })
    write(sender, PAGE.height - 88, soft)
    for (const [index, line] of address.entries()) write(line, ADDRESS_TOP - index * 15, ink)
    write(date, BODY_TOP + 32, ink)
    let y = BODY_TOP
    for (const line of body) {
      if (y < MARGIN) {
        page = pdf.addPage([PAGE.width, PAGE.height])
        y = PAGE.height - MARGIN
      }
      if (line !== '') write(line, y, ink)
      y -= line === '' ? 9 : 16
    }
  }
  return pdf.save()
}

import type { PDFFont } from 'pdf-lib'
import type { Association } from '#contract/association.ts'
import { postalLine } from './letter.ts'

const PAGE = { width: 612, height: 792 }
const MARGIN = 64
const WIDTH = PAGE.width - 2 * MARGIN
const STRIP = { height: 12, blocks: 25 }
// The inks of the letters.
const INKS = ['0f4147', 'b5472c', 'e1831b', 'b5472c', '2c706d']
const TEXT = '0b2a30'
const SOFT = '48605f'
const HEADING = '0f4147'
const LINE = 'e2d4b8'

export interface Receipt {
  number: string
  paidAt: number
  /** The same lines as in the letter. */
  facts: readonly [label: string, value: string][]
  /** Sentences below them, such as about tax. */
  notes: readonly string[]
}

/** What is confirmed on paper. */
export interface Paper extends Pick<Receipt, 'facts' | 'notes'> {
  /** Of the file. */
  title: string
  heading: string
  /** When it was made out: the same paper is the same file whenever it is printed. */
  at: number
}

/** A receipt on paper. */
export function printReceiptPdf({ number, paidAt, ...words }: Receipt, association: Association): Promise<Uint8Array> {
  return printPaper({ ...words, title: `Receipt ${number}`, heading: 'Receipt', at: paidAt }, association)
}

/** One page, US letter, in the inks of the letters. */
export async function printPaper(paper: Paper, association: Association): Promise<Uint8Array> {
  // Loaded when the first paper is printed: it takes 20 MB.
  const { PDFDocument, rgb, StandardFonts } = await import('pdf-lib')
  const pdf = await PDFDocument.create()
  const madeAt = new Date(paper.at)
  pdf.setTitle(paper.title, { showInWindowTitleBar: true })
  pdf.setAuthor(association.name)
  pdf.setLanguage('en-US')
  pdf.setCreationDate(madeAt)
  pdf.setModificationDate(madeAt)
  const serif = await pdf.embedFont(StandardFonts.TimesRomanBold)
  const sans = await pdf.embedFont(StandardFonts.Helvetica)
  const bold = await pdf.embedFont(StandardFonts.HelveticaBold)
  const page = pdf.addPage([PAGE.width, PAGE.height])
  let y = PAGE.height

  for (let block = 0; block < STRIP.blocks; block++) {
    const width = PAGE.width / STRIP.blocks
    const color = ink(INKS[block % INKS.length] ?? HEADING)
    page.drawRectangle({ x: block * width, y: y - STRIP.height, width, height: STRIP.height, color })
  }
  y -= 84
  write(association.name, { font: serif, size: 20, color: HEADING, leading: 24 })
  write(`${postalLine(association)} · ${association.email}`, { font: sans, size: 10, color: SOFT, leading: 14 })
  y -= 34
  write(paper.heading, { font: serif, size: 34, color: HEADING, leading: 42 })
  y -= 8
  for (const [label, value] of paper.facts) fact(label, value)
  y -= 30
  for (const note of paper.notes) {
    write(note, { font: sans, size: 11, color: TEXT, leading: 16 })
    y -= 12
  }
  return pdf.save()

  function ink(hex: string) {
    const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    return rgb(red, green, blue)
  }

  function write(
    text: string,
    { font, size, color, leading }: { font: PDFFont; size: number; color: string; leading: number },
  ): void {
    for (const line of wrap(printable(text, font), font, size, WIDTH)) {
      page.drawText(line, { x: MARGIN, y, font, size, color: ink(color) })
      y -= leading
    }
  }

  function fact(label: string, value: string): void {
    page.drawText(label, { x: MARGIN, y, font: sans, size: 11, color: ink(SOFT) })
    for (const line of wrap(printable(value, bold), bold, 11, WIDTH - 120)) {
      page.drawText(line, { x: MARGIN + 120, y, font: bold, size: 11, color: ink(TEXT) })
      y -= 16
    }
    page.drawLine({
      start: { x: MARGIN, y: y + 5 },
      end: { x: MARGIN + WIDTH, y: y + 5 },
      thickness: 0.75,
      color: ink(LINE),
    })
    y -= 12
  }
}

/** The fonts every reader has know Western letters only: marks on other letters fall away, what is left unknown becomes a question mark. */
function printable(text: string, font: PDFFont): string {
  const known = new Set(font.getCharacterSet())
  const isKnown = (letter: string) => known.has(letter.codePointAt(0) ?? 0)
  return Array.from(text.normalize('NFC'))
    .map((letter) => {
      if (isKnown(letter)) return letter
      const plain = letter.normalize('NFKD').replaceAll(/\p{M}/gu, '')
      return plain !== '' && Array.from(plain).every(isKnown) ? plain : '?'
    })
    .join('')
}

/** Breaks at spaces, and inside words that are longer than a line. */
function wrap(text: string, font: PDFFont, size: number, width: number): string[] {
  const fits = (line: string) => font.widthOfTextAtSize(line, size) <= width
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && fits(`${line} ${word}`)) {
      line = `${line} ${word}`
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (!fits(line)) {
      let end = line.length - 1
      while (end > 1 && !fits(line.slice(0, end))) end--
      lines.push(line.slice(0, end))
      line = line.slice(end)
    }
  }
  return [...lines, line]
}

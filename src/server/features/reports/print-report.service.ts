import { formatLongDate } from '#contract/dates/dates.ts'
import type { Association } from '#contract/public/association.ts'
import { beginPdf, PAGE } from '#server/emails/pdf/begin-pdf.ts'
import { prepareDocumentFonts, type Style } from '#server/emails/pdf/document-fonts.ts'
import type { ReportTable } from './report-tables.rules.ts'

const MARGIN = 54
const WIDTH = PAGE.width - 2 * MARGIN
const ROW = 16
const SIZE = 9.5
/** The least room below a table's title for it to stay on its page. */
const ROOM = 4 * ROW

export interface Report {
  title: string
  /** Also the PDF's creation date, so that rendering is deterministic. */
  madeAt: number
  timeZone: string
  tables: readonly ReportTable[]
}

/** Renders tables on as many pages as they need; each page repeats the headings and has its number. */
export async function renderReportPdf(report: Report, association: Association): Promise<Uint8Array> {
  const { pdf, rgb, colors, styles } = await beginPdf({ title: report.title, association, at: report.madeAt })
  const { heading, text: plain, bold } = styles
  const subtitle = `${association.name}, ${formatLongDate(report.madeAt, report.timeZone)}`
  const fonts = await prepareDocumentFonts(pdf, [
    { text: report.title, style: heading },
    { text: subtitle, style: plain },
    ...report.tables.flatMap(({ title, headings, rows }) => [
      { text: title, style: heading },
      ...headings.map((text) => ({ text, style: bold })),
      ...rows.flat().map((cell) => ({ text: String(cell), style: plain })),
    ]),
  ])
  const ink = rgb(colors.ink)
  const soft = rgb(colors['ink-soft'])
  let page = pdf.addPage([PAGE.width, PAGE.height])
  let y = PAGE.height - MARGIN

  write(report.title, { style: heading, size: 22, leading: 28 })
  write(subtitle, { style: plain, size: 10, leading: 24 })
  for (const table of report.tables) writeTable(table)

  for (const [index, one] of pdf.getPages().entries()) {
    const text = `${index + 1} of ${pdf.getPageCount()}`
    fonts.draw(one, text, { x: MARGIN, y: MARGIN / 2, style: plain, size: 8, color: soft })
  }
  return pdf.save()

  function write(text: string, { style, size, leading }: { style: Style; size: number; leading: number }): void {
    fonts.draw(page, clip(text, style, size, WIDTH), { x: MARGIN, y: y - size, style, size, color: ink })
    y -= leading
  }

  function writeTable({ title, headings, rows }: ReportTable): void {
    const columns = columnsOf(headings, rows)
    if (y - ROOM < MARGIN) turnPage()
    y -= 10
    write(title, { style: heading, size: 13, leading: 22 })
    writeRow(headings, columns, bold)
    if (rows.length === 0) write('None', { style: plain, size: SIZE, leading: ROW })
    for (const row of rows) {
      if (y - ROW < MARGIN) {
        turnPage()
        writeRow(headings, columns, bold)
      }
      writeRow(row, columns, plain)
    }
  }

  function writeRow(cells: readonly (string | number)[], columns: readonly Column[], style: Style): void {
    for (const [index, { x, width, isNumber }] of columns.entries()) {
      const text = clip(String(cells[index] ?? ''), style, SIZE, width - 6)
      const start = isNumber ? x + width - 6 - fonts.width(text, style, SIZE) : x
      fonts.draw(page, text, { x: start, y: y - SIZE, style, size: SIZE, color: ink })
    }
    y -= ROW
    page.drawLine({
      start: { x: MARGIN, y: y + 3 },
      end: { x: MARGIN + WIDTH, y: y + 3 },
      thickness: 0.5,
      color: rgb(colors.line),
    })
  }

  function turnPage(): void {
    page = pdf.addPage([PAGE.width, PAGE.height])
    y = PAGE.height - MARGIN
  }

  /** Columns share the width by their longest text. */
  function columnsOf(headings: readonly string[], rows: ReportTable['rows']): Column[] {
    const widths = headings.map((heading, index) =>
      Math.max(
        fonts.width(heading, bold, SIZE),
        ...rows.map((row) => fonts.width(String(row[index] ?? ''), plain, SIZE)),
      ),
    )
    const spare = (WIDTH - widths.reduce((sum, width) => sum + width, 0)) / headings.length
    const scale = spare < 6 ? (WIDTH - 6 * headings.length) / widths.reduce((sum, width) => sum + width, 0) : 1
    let x = MARGIN
    return widths.map((natural, index) => {
      const width = natural * scale + Math.max(spare, 6)
      const column = { x, width, isNumber: index > 0 && rows.some((row) => typeof row[index] === 'number') }
      x += width
      return column
    })
  }

  function clip(text: string, style: Style, size: number, width: number): string {
    if (fonts.width(text, style, size) <= width) return text
    let end = text.length - 1
    while (end > 1 && fonts.width(`${text.slice(0, end)}...`, style, size) > width) end--
    return `${text.slice(0, end)}...`
  }
}

interface Column {
  x: number
  width: number
  isNumber: boolean
}

export const MARKDOWN_EDITS = ['bold', 'italic', 'heading', 'list', 'quote'] as const
export type MarkdownEdit = (typeof MARKDOWN_EDITS)[number]

/** Replaces part of a text and selects part of the replacement. */
export interface TextEdit {
  from: number
  to: number
  text: string
  /** Offsets in the whole text afterwards. */
  select: [start: number, end: number]
}

const MARKS = { bold: '**', italic: '*' } as const
const LINE_STARTS = { heading: '## ', list: '- ', quote: '> ' } as const

/** Formats the selection, or removes the format if it has it. */
export function formatSelection(edit: MarkdownEdit, whole: string, start: number, end: number): TextEdit {
  return edit === 'bold' || edit === 'italic'
    ? markSelection(MARKS[edit], whole, start, end)
    : startLines(LINE_STARTS[edit], whole, start, end)
}

function markSelection(mark: string, whole: string, start: number, end: number): TextEdit {
  // Marks do not work with spaces inside them.
  const selected = whole.slice(start, end)
  const from = start + (selected.length - selected.trimStart().length)
  const to = Math.max(from, end - (selected.length - selected.trimEnd().length))
  const inner = whole.slice(from, to)
  const { length } = mark
  const isMarked = hasMark(whole, mark, from, to)
  if (isMarked) return { from: from - length, to: to + length, text: inner, select: [from - length, to - length] }
  return { from, to, text: `${mark}${inner}${mark}`, select: [from + length, to + length] }
}

/** `*` around a text is not the end of `**`. */
function hasMark(whole: string, mark: string, from: number, to: number): boolean {
  const [before, after] = [whole.slice(0, from), whole.slice(to)]
  if (!before.endsWith(mark) || !after.startsWith(mark)) return false
  const stars = /\*+$/.exec(before)?.[0].length ?? 0
  return mark === '**' || stars === 1 || stars === 3
}

function startLines(sign: string, whole: string, start: number, end: number): TextEdit {
  const from = whole.lastIndexOf('\n', start - 1) + 1
  const next = whole.indexOf('\n', Math.max(from, end - (end > start && whole[end - 1] === '\n' ? 1 : 0)))
  const to = next === -1 ? whole.length : next
  const lines = whole.slice(from, to).split('\n')
  const isStarted = lines.every((line) => line.startsWith(sign))
  const changed = lines.map((line) =>
    isStarted ? line.slice(sign.length) : sign + line.replace(/^(?:#{1,4} |[->] )/, ''),
  )
  const text = changed.join('\n')
  return {
    from,
    to,
    text,
    select: lines.length > 1 ? [from, from + text.length] : [from + text.length, from + text.length],
  }
}

/** A link on the selected text, or with the given one. Its address is selected if it is empty. */
export function linkSelection(
  whole: string,
  start: number,
  end: number,
  { label, address }: { label: string; address: string },
): TextEdit {
  const shown = whole.slice(start, end).trim() || label
  const text = `[${shown.replaceAll(/[[\]]/g, String.raw`\$&`)}](${address})`
  const at = start + text.length - 1
  return { from: start, to: end, text, select: address === '' ? [at, at] : [at + 1, at + 1] }
}

/** A picture in a paragraph of its own. */
export function insertPicture(
  whole: string,
  start: number,
  end: number,
  { alt, address }: { alt: string; address: string },
): TextEdit {
  const before = start === 0 || whole.slice(0, start).endsWith('\n\n') ? '' : whole[start - 1] === '\n' ? '\n' : '\n\n'
  const after = whole.slice(end).startsWith('\n') || end === whole.length ? '\n' : '\n\n'
  const text = `${before}![${alt.replaceAll(/[[\]]/g, String.raw`\$&`)}](${address})${after}`
  return { from: start, to: end, text, select: [start + text.length, start + text.length] }
}

/** Elements to ignore: Word adds a whole document's settings. */
const SILENT = new Set(['head', 'link', 'meta', 'noscript', 'script', 'style', 'svg', 'template', 'title', 'xml'])
const HEADINGS: Record<string, string> = { h1: '##', h2: '##', h3: '###', h4: '####', h5: '####', h6: '####' }
const BLOCKS = new Set(
  'address article aside blockquote center dd div dl dt fieldset figure figcaption footer form header hr li main nav ol p pre section table ul'.split(
    ' ',
  ),
)
/** Allowed link targets; excludes Word's bookmarks. */
const LINKED = /^(?:https?:\/\/|mailto:|tel:|\/(?!\/))[^\s<>]*$/i

/**
 * Converts HTML copied from Word, an email or a web page to Markdown. Keeps headings, paragraphs, bold, italic, links, lists and tables; drops styling.
 * Keeps quotes and dashes as typed.
 */
export function htmlToMarkdown(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return blocksOf(body)
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** Whether pasting plain text would lose formatting. */
export function hasFormatting(markdown: string, text: string): boolean {
  return squeezed(markdown) !== squeezed(text)
}

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Lines, with an empty line between blocks. */
function blocksOf(parent: Node): string[] {
  const lines: string[] = []
  let inline: Node[] = []
  const list = new WordList()

  function endParagraph(): void {
    const text = inlineOf(inline)
    inline = []
    if (text !== '') lines.push('', ...text.split('\n').map(plainStart), '')
  }

  for (const child of parent.childNodes) {
    const name = nameOf(child)
    if (!isElement(child) || (!BLOCKS.has(name) && !(name in HEADINGS) && !hasBlocks(child))) {
      inline.push(child)
      continue
    }
    if (SILENT.has(name) || isHidden(child)) continue
    endParagraph()
    const item = list.itemOf(child)
    if (!item) list.end()
    lines.push(...(item ?? blockOf(child, name)))
  }
  endParagraph()
  return lines
}

function blockOf(element: Element, name: string): string[] {
  const heading = HEADINGS[name] ?? headingOf(element)
  if (heading !== undefined) {
    const text = inlineOf(element.childNodes, { isHeading: true }).replaceAll('\n', ' ')
    return text === '' ? [] : ['', `${heading} ${text}`, '']
  }
  if (name === 'ul' || name === 'ol') return ['', ...itemsOf(element, name), '']
  if (name === 'table') return tableOf(element)
  if (name === 'hr') return ['', '---', '']
  if (name === 'blockquote') return ['', ...trimmed(blocksOf(element)).map((line) => `> ${line}`.trimEnd()), '']
  return blocksOf(element)
}

/** Word marks titles with paragraph classes. */
function headingOf(element: Element): string | undefined {
  if (/\bMsoTitle\b/.test(element.className)) return '##'
  return /\bMsoSubtitle\b/.test(element.className) ? '###' : undefined
}

function itemsOf(list: Element, name: string, depth = 0): string[] {
  const first = Number(list.getAttribute('start') ?? 1)
  let number = Number.isInteger(first) ? first : 1
  const lines: string[] = []
  for (const child of list.children) {
    const childName = nameOf(child)
    // Google Docs and old Word put nested lists next to their items.
    if (childName === 'ul' || childName === 'ol') lines.push(...itemsOf(child, childName, depth + 1))
    if (childName !== 'li') continue
    const mark = name === 'ol' ? `${number++}.` : '-'
    const nested = [...child.children].filter((one) => ['ul', 'ol'].includes(nameOf(one)))
    const text = inlineOf([...child.childNodes].filter((one) => !nested.includes(one as Element)))
    if (text !== '') lines.push(`${indent(depth)}${mark} ${text.replaceAll('\n', ' ')}`)
    for (const inner of nested) lines.push(...itemsOf(inner, nameOf(inner), depth + 1))
  }
  return lines
}

/** Word writes list items as paragraphs, with the level in a style and the marker as text. */
class WordList {
  #last = ''

  /** Returns null when the element is not a list item. */
  itemOf(element: Element): string[] | null {
    const level = /mso-list:\s*(l\d+)\s+level(\d+)/i.exec(element.getAttribute('style') ?? '')
    const isItem = level !== null || /\bMsoListParagraph/.test(element.className)
    if (!isItem || nameOf(element) !== 'p') return null
    const { mark, text } = withoutMark(element)
    if (text === '') return []
    if (level === null && mark === '') return null
    const [, name = '', depth = '1'] = level ?? []
    const isNew = this.#last !== name && depth === '1'
    this.#last = name
    const sign = /^\(?[0-9a-z]{1,5}[.)]/i.test(mark) ? `${/^\(?(\d+)/.exec(mark)?.[1] ?? 1}.` : '-'
    return [...(isNew ? [''] : []), `${indent(Number(depth) - 1)}${sign} ${text.replaceAll('\n', ' ')}`]
  }

  end(): void {
    this.#last = ''
  }
}

/** The list marker is in a span with `mso-list: ignore`. */
function withoutMark(element: Element): { mark: string; text: string } {
  const copy = element.cloneNode(true) as Element
  const marks = [...copy.querySelectorAll('span')].filter((span) =>
    /mso-list:\s*ignore/i.test(span.getAttribute('style') ?? ''),
  )
  const mark = marks.map((one) => one.textContent).join('')
  for (const one of marks) one.remove()
  if (mark !== '') return { mark: mark.trim(), text: inlineOf(copy.childNodes) }
  const text = inlineOf(copy.childNodes)
  const typed = /^(?:[·•▪◦o§-]|\(?\d{1,3}[.)])\s+/.exec(text)
  return typed ? { mark: typed[0].trim(), text: text.slice(typed[0].length) } : { mark: '', text }
}

/** Converts a table, with the first row as its header. Single-column tables are only layout. */
function tableOf(table: Element): string[] {
  const rows = [...table.querySelectorAll('tr')]
    .filter((row) => row.closest('table') === table)
    .map((row) => [...row.children].filter((cell) => ['td', 'th'].includes(nameOf(cell))))
    .filter((cells) => cells.length > 0)
  const columns = Math.max(0, ...rows.map((cells) => cells.length))
  if (columns < 2) return rows.flatMap((cells) => cells.flatMap((cell) => blocksOf(cell)))
  const lines = rows.map((cells) => {
    const text = cells.map((cell) => trimmed(blocksOf(cell)).filter(Boolean).join(' ').replaceAll('|', '\\|'))
    return `| ${[...text, ...Array.from({ length: columns - text.length }, () => '')].join(' | ')} |`
  })
  const [head = '', ...others] = lines
  return ['', head, `|${' --- |'.repeat(columns)}`, ...others, '']
}

interface Marks {
  isBold?: boolean
  isItalic?: boolean
  isHeading?: boolean
}

/** Inline Markdown; a line break becomes a newline. */
function inlineOf(nodes: Iterable<Node>, marks: Marks = {}): string {
  return (
    [...nodes]
      .map((node) => partOf(node, marks))
      .join('')
      // Join adjacent bold runs.
      .replaceAll(/(?<=[^\s*])\*\*( *)\*\*(?=[^\s*])/g, '$1')
      .replaceAll(/[^\S\n]+/g, ' ')
      .replaceAll(/ ?\n ?/g, '\n')
      .trim()
  )
}

function partOf(node: Node, marks: Marks): string {
  if (node.nodeType === 3) return escaped((node.textContent ?? '').replaceAll(/\s+/g, ' '))
  if (!isElement(node)) return ''
  const name = nameOf(node)
  if (SILENT.has(name) || isHidden(node) || name.includes(':')) return name.includes(':') ? inner(node, marks) : ''
  if (name === 'br') return '\n'
  const look = lookOf(node, name, marks)
  const text = inner(node, {
    ...marks,
    isBold: marks.isBold || look.isBold,
    isItalic: marks.isItalic || look.isItalic,
  })
  if (name === 'a') return linked(text, node.getAttribute('href') ?? '')
  const bold = look.isBold && !marks.isBold && !marks.isHeading ? marked(text, '**') : text
  return look.isItalic && !marks.isItalic ? marked(bold, '*') : bold
}

function inner(node: Node, marks: Marks): string {
  return [...node.childNodes].map((child) => partOf(child, marks)).join('')
}

function lookOf(element: Element, name: string, { isBold = false, isItalic = false }: Marks) {
  const style = element.getAttribute('style') ?? ''
  const weight = /(?<![\w-])font-weight:\s*(\w+)/i.exec(style)?.[1]
  const slant = /(?<![\w-])font-style:\s*(\w+)/i.exec(style)?.[1]
  const boldName = name === 'b' || name === 'strong'
  const italicName = name === 'i' || name === 'em'
  return {
    isBold: weight === undefined ? boldName || isBold : /^(?:bold|bolder|[6-9]00)$/i.test(weight),
    isItalic: slant === undefined ? italicName || isItalic : /^(?:italic|oblique)$/i.test(slant),
  }
}

/** Moves spaces outside the markers: `**text **` is not bold in Markdown. */
function marked(text: string, mark: string): string {
  const [, before = '', core = '', after = ''] = /^(\s*)([^]*?)(\s*)$/.exec(text) ?? []
  return core === '' ? text : `${before}${mark}${core.replaceAll('\n', `${mark}\n${mark}`)}${mark}${after}`
}

function linked(text: string, href: string): string {
  const label = text.trim()
  if (label === '' || !LINKED.test(href)) return text
  return `[${label.replaceAll('\n', ' ')}](${href.replaceAll('(', '%28').replaceAll(')', '%29')})`
}

/** Escapes Markdown characters. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*[\]<]|(?<!\w)_|_(?!\w)/g, (sign) => `\\${sign}`)
}

/** Escapes characters that are Markdown at the start of a line. */
function plainStart(line: string): string {
  return line.replace(/^(\d+)([.)] )/, '$1\\$2').replace(/^([#>+-])(?=\s)/, '\\$1')
}

function indent(depth: number): string {
  return '   '.repeat(Math.max(0, depth))
}

function trimmed(lines: readonly string[]): string[] {
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
    .split('\n')
}

function isHidden(element: Element): boolean {
  return /display:\s*none|mso-hide:\s*all|visibility:\s*hidden/i.test(element.getAttribute('style') ?? '')
}

/** Inline elements around block elements, as Google Docs writes them. */
function hasBlocks(element: Element): boolean {
  return (
    !SILENT.has(nameOf(element)) &&
    [...element.querySelectorAll('*')].some((one) => BLOCKS.has(nameOf(one)) || nameOf(one) in HEADINGS)
  )
}

function nameOf(node: Node): string {
  return node.nodeName.toLowerCase()
}

function isElement(node: Node): node is Element {
  return node.nodeType === 1
}

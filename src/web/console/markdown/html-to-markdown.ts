import TurndownService from 'turndown'

/** What to drop: Word adds a whole document's settings. */
const SILENT = 'head, img, link, meta, noscript, script, style, svg, template, title, xml'
const TITLES = 'h1, h2, h3, h4, h5, h6, .MsoTitle, .MsoSubtitle'
/** Allowed link targets; excludes Word's bookmarks. */
const LINKED = /^(?:https?:\/\/|mailto:|tel:|\/(?!\/))[^\s<>]*$/i
const HIDDEN = /display:\s*none|mso-hide:\s*all|visibility:\s*hidden/i
/** What Word puts in front of a list item, after escaping. */
const TYPED_MARK = /^\\?(?:[·•▪◦o§-]|\(?\d{1,3}\\?[.)])\s+/
const INDENT = '   '

const service = new TurndownService({
  hr: '---',
  emDelimiter: '*',
  blankReplacement: (_, node) => (isBlock(node) && !/^(?:LI|TR)$/.test(node.nodeName) ? '\n\n' : ''),
})
  .addRule('marks', {
    filter: (node) => marksOf(node).length > 0,
    replacement: (content, node) =>
      content.replaceAll(/.*\S.*/g, (line) => marksOf(node).reduce((text, mark) => mark + text + mark, line)),
  })
  .addRule('unmarked', {
    filter: (node) => /^(?:B|EM|I|STRONG)$/.test(node.nodeName) && marksOf(node).length === 0,
    replacement: (content) => content,
  })
  .addRule('line break', {
    filter: 'br',
    // Two of them separate paragraphs.
    replacement: (_, node) =>
      [node.previousSibling, node.nextSibling].some((one) => one?.nodeName === 'BR') ? '\n\n' : '\n',
  })
  .addRule('link', {
    filter: 'a',
    replacement(content, node) {
      const href = node.getAttribute('href') ?? ''
      if (content.trim() === '' || !LINKED.test(href)) return content
      return `[${content.replaceAll('\n', ' ')}](${href.replaceAll('(', '%28').replaceAll(')', '%29')})`
    },
  })
  .addRule('heading', {
    filter: (node) => node.matches(TITLES),
    replacement(content, node) {
      const { className, nodeName } = node
      const level = /^H\d/.test(nodeName) ? Number(nodeName[1]) : /\bMsoTitle\b/.test(className) ? 2 : 3
      // A number is no list item behind the heading's sign.
      const text = content
        .trim()
        .replaceAll(/\n+/g, ' ')
        .replace(/^(\d+)\\/, '$1')
      return block(node.closest('li') ? text : `${'#'.repeat(Math.min(Math.max(level, 2), 4))} ${text}`)
    },
  })
  .addRule('list item', {
    filter: 'li',
    replacement(content, node) {
      const list = node.parentElement
      const first = Number(list?.getAttribute('start') ?? 1)
      const number = (Number.isInteger(first) ? first : 1) + [...(list?.children ?? [])].indexOf(node)
      const lines = content
        .trim()
        .replaceAll(/\n+( *(?:-|\d+\.) )?/g, (_, nested?: string) => (nested ? `\n${INDENT}${nested}` : ' '))
      return `\n${list?.nodeName === 'OL' ? `${number}.` : '-'} ${lines}\n`
    },
  })
  .addRule('Word list item', {
    filter: (node) => node.nodeName === 'P' && (wordList(node) !== null || /\bMsoListParagraph/.test(node.className)),
    replacement(content, node) {
      const list = wordList(node)
      const mark = node.dataset['mark'] ?? TYPED_MARK.exec(content)?.[0].trim() ?? ''
      if (!list && mark === '') return block(content)
      const text = node.dataset['mark'] ? content : content.replace(TYPED_MARK, '')
      const { name = '', level = 1 } = list ?? {}
      const isNew = level === 1 && (wordList(node.previousElementSibling)?.name ?? '') !== name
      const isNumbered = /^\(?[0-9a-z]{1,5}\\?[.)]/i.test(mark)
      const sign = isNumbered ? `${/^\(?(\d+)/.exec(mark)?.[1] ?? 1}.` : '-'
      return `${isNew ? '\n\n' : '\n'}${INDENT.repeat(level - 1)}${sign} ${text.trim().replaceAll('\n', ' ')}\n`
    },
  })
  .addRule('table cell', {
    filter: ['td', 'th'],
    replacement: (content, node) =>
      columnsOf(node) < 2 ? block(content) : ` ${content.trim().replaceAll(/\n+/g, ' ').replaceAll('|', '\\|')} |`,
  })
  .addRule('table row', {
    filter: 'tr',
    replacement(content, node) {
      const columns = columnsOf(node)
      if (columns < 2) return content
      const { cells } = node as HTMLTableRowElement
      const isFirst = tableOf(node)?.querySelector('tr:has(td, th)') === node
      return `\n|${content}${'  |'.repeat(columns - cells.length)}${isFirst ? `\n|${' --- |'.repeat(columns)}` : ''}\n`
    },
  })
  .addRule('table part', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content })

/** Escapes what is Markdown anywhere, and what is Markdown at the start of a line. */
service.escape = (text) =>
  text
    .replaceAll(/[\\`*[\]<]|(?<!\w)_|_(?!\w)/g, (sign) => `\\${sign}`)
    .replaceAll(/^(\d+)([.)] )/gm, '$1\\$2')
    .replaceAll(/^([#>+-])(?=\s)/gm, '\\$1')

/**
 * Converts HTML copied from Word, an email or a web page to Markdown. Keeps headings, paragraphs, bold, italic, links, lists and tables; drops styling.
 * Keeps quotes and dashes as typed.
 */
export function htmlToMarkdown(html: string): string {
  const { body } = new DOMParser().parseFromString(html.replaceAll(/&nbsp;|&#160;|\u00a0/g, ' '), 'text/html')
  for (const element of body.querySelectorAll(SILENT)) element.remove()
  for (const element of body.querySelectorAll<HTMLElement>('[style]')) {
    const style = element.getAttribute('style') ?? ''
    const item = /mso-list:\s*ignore/i.test(style) ? element.closest('p') : null
    // Word writes the mark of a list item as text.
    if (item) item.dataset['mark'] = (item.dataset['mark'] ?? '') + element.textContent.trim()
    if (item || HIDDEN.test(style)) element.remove()
  }
  for (const element of body.querySelectorAll('code')) element.replaceWith(...element.childNodes)
  // Google Docs and old Word put nested lists next to their items.
  for (const list of body.querySelectorAll(':is(ul, ol) > :is(ul, ol)')) list.previousElementSibling?.append(list)
  return (
    service
      .turndown(body)
      // Join adjacent bold runs.
      .replaceAll(/(?<=[^\s*])\*\*( *)\*\*(?=[^\s*])/g, '$1')
      .replaceAll(/ +$/gm, '')
      .trim()
  )
}

/** Whether pasting plain text would lose formatting. */
export function hasFormatting(markdown: string, text: string): boolean {
  return squeezed(markdown) !== squeezed(text)
}

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function block(content: string): string {
  return `\n\n${content}\n\n`
}

/** The signs of bold and italic that start at an inline element: by its name, unless its style says otherwise, and not within another. */
function marksOf(element: Element): string[] {
  if (isBlock(element) || hasBlocks(element)) return []
  const inLine: Element[] = []
  for (let parent = element.parentElement; parent && !isBlock(parent); parent = parent.parentElement)
    inLine.push(parent)
  return [
    ...(isBold(element) && !inLine.some(isBold) && !element.closest(TITLES) ? ['**'] : []),
    ...(isItalic(element) && !inLine.some(isItalic) ? ['*'] : []),
  ]
}

function isBold(element: Element): boolean {
  const weight = styleOf(element, 'font-weight')
  return weight === undefined ? /^(?:B|STRONG)$/.test(element.nodeName) : /^(?:bold|bolder|[6-9]00)$/i.test(weight)
}

function isItalic(element: Element): boolean {
  const slant = styleOf(element, 'font-style')
  return slant === undefined ? /^(?:EM|I)$/.test(element.nodeName) : /^(?:italic|oblique)$/i.test(slant)
}

function styleOf(element: Element, property: string): string | undefined {
  return new RegExp(`(?<![\\w-])${property}:\\s*(\\w+)`, 'i').exec(element.getAttribute('style') ?? '')?.[1]
}

/** The list and level of a paragraph that Word means as a list item. */
function wordList(element: Element | null): { name: string; level: number } | null {
  const [, name, level] = /mso-list:\s*(l\d+)\s+level(\d+)/i.exec(element?.getAttribute('style') ?? '') ?? []
  return name === undefined ? null : { name, level: Number(level) }
}

function tableOf(part: Element): HTMLTableElement | null {
  return part.closest('table')
}

/** One column is only layout. */
function columnsOf(part: Element): number {
  return Math.max(0, ...[...(tableOf(part)?.rows ?? [])].map(({ cells }) => cells.length))
}

const BLOCKS =
  'address, article, aside, blockquote, center, dd, div, dl, dt, fieldset, figure, figcaption, footer, form, h1, h2, h3, h4, h5, h6, header, hr, li, main, nav, ol, p, pre, section, table, ul'

function isBlock(element: Element): boolean {
  return element.matches(`${BLOCKS}, body, td, th`)
}

/** Inline elements around block elements, as Google Docs writes them. */
function hasBlocks(element: Element): boolean {
  return element.querySelector(BLOCKS) !== null
}

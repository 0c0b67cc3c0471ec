import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
// Neither package has types.
const { JSDOM } = require('jsdom') as { JSDOM: new (html: string) => { window: { document: Document } } }
/** The HTML parser that jsdom uses; it reports every parse error of the standard. */
const { parse } = createRequire(require.resolve('jsdom'))('parse5') as {
  parse(html: string, options: ParseOptions): unknown
}

interface ParseOptions {
  scriptingEnabled: boolean
  sourceCodeLocationInfo: boolean
  onParseError(error: { code: string; startOffset: number }): void
}

const PHRASING = new Set(
  'a abbr audio b bdi bdo br button canvas cite code data datalist del dfn em embed i iframe img input ins kbd label link map mark meter noscript object output picture progress q ruby rp rt s samp script select slot small source span strong sub sup svg template textarea time track u var video wbr area option optgroup hr selectedcontent legend'.split(
    ' ',
  ),
)
/** May contain phrasing content only. */
const PHRASING_PARENTS =
  'p, h1, h2, h3, h4, h5, h6, span, button, label, em, strong, b, i, small, cite, code, time, abbr, q, sup, sub, u, s, mark, pre, dfn, kbd, samp, var'
const INTERACTIVE =
  'a[href], button, input:not([type=hidden]), select, textarea, details, iframe, label, [role=button], [tabindex]'
const OBSOLETE = 'center, font, marquee, big, tt, strike, frame, frameset, acronym, applet, basefont, dir'
const REFERENCES = ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-owns', 'list', 'headers']
const CHILDREN: Record<string, string> = {
  'ul, ol, menu': 'li, script, template',
  dl: 'dt, dd, div, script, template',
  table: 'caption, colgroup, thead, tbody, tfoot, tr, script, template',
  'tbody, thead, tfoot': 'tr, script, template',
  tr: 'td, th, script, template',
  select: 'option, optgroup, hr, button, script, template',
}

export interface Checked {
  findings: string[]
  document: Document
  title: string
}

/**
 * Errors of a document: parse errors of the standard, ids, references, nesting, names, headings.
 * @param scripts whether it comes from a browser with scripts, where `noscript` contains no elements
 */
export function checkHtml(html: string, { scripts = false, isEmail = false } = {}): Checked {
  const findings: string[] = []
  parse(html, {
    scriptingEnabled: scripts,
    sourceCodeLocationInfo: true,
    onParseError: ({ code, startOffset }) =>
      findings.push(`parse error ${code} at ${html.slice(Math.max(0, startOffset - 40), startOffset + 40)}`),
  })
  const { document } = new JSDOM(html).window
  findings.push(...nestingFindings(html, document, scripts))
  const all = (selector: string) => [...document.querySelectorAll(selector)]
  const show = (element: Element) => element.outerHTML.replace(/\s+/g, ' ').slice(0, 120)
  const report = (what: string, elements: Element[]) => findings.push(...elements.map((it) => `${what}: ${show(it)}`))

  const ids = all('[id]').map(({ id }) => id)
  for (const id of new Set(ids.filter((id, at) => ids.indexOf(id) !== at))) findings.push(`id twice: ${id}`)
  report(
    'id empty or with blanks',
    all('[id]').filter(({ id }) => id === '' || /\s/.test(id)),
  )
  for (const name of REFERENCES) {
    for (const element of all(`[${name}]`)) {
      // A popup may be referenced before it exists.
      if (name === 'aria-controls' && element.getAttribute('aria-expanded') === 'false') continue
      const lost = (element.getAttribute(name) ?? '').split(/\s+/).filter((id) => id && !ids.includes(id))
      if (lost.length > 0) findings.push(`${name} of nothing (${lost.join(' ')}): ${show(element)}`)
    }
  }
  for (const parent of all(PHRASING_PARENTS)) {
    report(
      `in ${parent.localName}`,
      [...parent.querySelectorAll('*')].filter((it) => isHtml(it) && !PHRASING.has(it.localName)),
    )
  }
  for (const [parents, children] of Object.entries(CHILDREN)) {
    for (const parent of all(parents)) {
      report(
        `child of ${parent.localName}`,
        [...parent.children].filter((child) => !child.matches(children)),
      )
    }
  }
  report(
    'li without a list',
    all('li').filter((it) => !it.parentElement?.matches('ul, ol, menu')),
  )
  report(
    'dt or dd without dl',
    all('dt, dd').filter((it) => !it.closest('dl')),
  )
  for (const outer of all('a[href], button')) report(`in ${outer.localName}`, [...outer.querySelectorAll(INTERACTIVE)])
  report('label in label', all('label label'))
  report('form in form', all('form form'))
  report('style in the body', all('body style'))
  report('obsolete', isEmail ? all(OBSOLETE.replace('center, ', '')) : all(OBSOLETE))
  report(
    'summary not first',
    all('summary').filter((it) => it.parentElement?.firstElementChild !== it),
  )
  report('img without alt', all('img:not([alt])'))
  report('img without src', all('img:not([src]), img[src=""]'))
  report('iframe without title', all('iframe:not([title])'))
  report(
    'field without label',
    all('input:not([type=hidden], [type=submit], [hidden]), select, textarea').filter((it) => !hasLabel(it)),
  )
  report(
    'nothing to read in',
    all('a[href], button:not([aria-hidden=true]), h1, h2, h3, h4, h5, h6, summary').filter((it) => nameOf(it) === ''),
  )
  report(
    'positive tabindex',
    all('[tabindex]').filter((it) => Number(it.getAttribute('tabindex')) > 0),
  )

  const headings = all('h1, h2, h3, h4, h5, h6').filter((it) => !it.closest('[hidden]'))
  const levels = headings.map(({ localName }) => Number(localName[1]))
  for (const [at, level] of levels.entries()) {
    const before = levels[at - 1] ?? 0
    if (at > 0 && level > before + 1)
      findings.push(`heading skips from ${before} to ${level}: ${headings[at]?.textContent}`)
  }
  const firsts = levels.filter((level) => level === 1).length
  // An email has a subject instead of a heading.
  if (firsts !== 1 && !isEmail) findings.push(`${firsts} h1`)
  if (!/^en\b/.test(document.documentElement.lang)) findings.push('no language')
  if (document.title.trim() === '') findings.push('no title')
  if (all('head title').length > 1) findings.push('title twice')
  return { findings, document, title: document.title }
}

const VOID = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/
/** Comments, raw text elements, and tags. */
const TAGS =
  /<!--[^]*?-->|<!doctype[^>]*>|<(?<raw>script|style|title|textarea|iframe)\b(?:[^>"']|"[^"]*"|'[^']*')*>[^]*?<\/\k<raw>>|<(?<end>\/?)(?<name>[a-z][^\s/>]*)(?:[^>"']|"[^"]*"|'[^']*')*>/gi
/** Elements that the parser inserts when their optional tags are omitted. */
const IMPLIED = /^(html|head|body|tbody)$/

/** Where the parsed tree differs from the tags: misplaced elements, or tags closed twice or never. */
function nestingFindings(html: string, document: Document, scripts: boolean): string[] {
  const text = scripts ? html.replaceAll(/(<noscript\b[^>]*>)[^]*?(<\/noscript>)/gi, '$1$2') : html
  const open: string[] = []
  const written: string[] = []
  for (const { 0: tag, groups: { raw, end, name } = {} } of text.matchAll(TAGS)) {
    const element = (raw ?? name)?.toLowerCase()
    if (!element) continue
    if (end) {
      const expected = open.pop()
      if (expected !== element) return [`</${element}> where </${expected}> should be`]
      continue
    }
    if (!IMPLIED.test(element)) written.push([...open, element].filter((it) => !IMPLIED.test(it)).join('>'))
    const isClosed = raw !== undefined || VOID.test(element) || (open.includes('svg') && tag.endsWith('/>'))
    if (!isClosed) open.push(element)
  }
  if (open.length > 0) return [`never closed: ${open.join(' ')}`]
  const parsed = [...document.querySelectorAll('*')]
    .filter(({ localName }) => !IMPLIED.test(localName))
    .filter((element) => !scripts || !element.parentElement?.closest('noscript'))
    .map(pathOf)
  const at = parsed.findIndex((path, place) => path !== written[place])
  if (at === -1 && parsed.length === written.length) return []
  return [`nested otherwise than written: ${written[at]} became ${parsed[at]}`]
}

function pathOf(element: Element): string {
  const names: string[] = []
  for (let it: Element | null = element; it; it = it.parentElement) names.unshift(it.localName.toLowerCase())
  return names.filter((name) => !IMPLIED.test(name)).join('>')
}

function isHtml(element: Element): boolean {
  return element.namespaceURI === 'http://www.w3.org/1999/xhtml'
}

function hasLabel(field: Element): boolean {
  const labels = (field as HTMLInputElement).labels
  return field.hasAttribute('aria-label') || field.hasAttribute('aria-labelledby') || (labels?.length ?? 0) > 0
}

function nameOf(element: Element): string {
  const pictures = [...element.querySelectorAll('img[alt], svg title')]
  const words = [
    element.getAttribute('aria-label') ?? '',
    element.getAttribute('aria-labelledby') ?? '',
    element.textContent,
    ...pictures.map((picture) => picture.getAttribute('alt') ?? picture.textContent),
  ]
  return words.join('').trim()
}

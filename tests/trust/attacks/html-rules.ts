import { createRequire } from 'node:module'
import { HtmlValidate, StaticConfigLoader, type RuleConfig } from 'html-validate'

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

/** Beyond html-validate's own `standard`: names for assistive technology, references, and tags closed in the order they were opened. */
const RULES: RuleConfig = {
  'empty-heading': 'error',
  'heading-level': ['error', { allowMultipleH1: false, minInitialRank: 'any' }],
  'input-missing-label': 'error',
  'missing-doctype': 'error',
  'no-implicit-close': 'error',
  'no-missing-references': 'error',
  'no-unknown-elements': 'error',
  'text-content': 'error',
  'wcag/h30': 'error',
  'wcag/h37': 'error',
}
/** Mail programs know the attributes of old, and an email has a subject instead of a heading. */
const EMAIL_RULES: RuleConfig = { ...RULES, 'no-deprecated-attr': 'off', 'heading-level': 'off' }

const [pages, emails] = [RULES, EMAIL_RULES].map(
  (rules) => new HtmlValidate(new StaticConfigLoader({ root: true, extends: ['html-validate:standard'], rules })),
) as [HtmlValidate, HtmlValidate]

export interface Checked {
  findings: string[]
  document: Document
  title: string
}

/**
 * Errors of a document: parse errors of the standard, then those of html-validate: content models, ids, references, nesting, names, headings.
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
  const all = (selector: string) => [...document.querySelectorAll(selector)]
  // A popup may be referenced before it exists.
  const expected = all('[aria-expanded=false]').map((it) => it.getAttribute('aria-controls'))
  for (const { messages } of (isEmail ? emails : pages).validateStringSync(html).results)
    for (const { ruleId, message, selector, context } of messages)
      if (ruleId !== 'no-missing-references' || !expected.includes((context as { value: string }).value))
        findings.push(`${ruleId}: ${message} (${selector})`)
  for (const { outerHTML } of all('[tabindex]').filter((it) => Number(it.getAttribute('tabindex')) > 0))
    findings.push(`positive tabindex: ${outerHTML.slice(0, 120)}`)
  for (const { textContent, outerHTML } of all('summary'))
    if (textContent.trim() === '') findings.push(`empty summary: ${outerHTML.slice(0, 120)}`)
  if (!isEmail && all('h1').length === 0) findings.push('no h1')
  if (!/^en\b/.test(document.documentElement.lang)) findings.push('no language')
  if (document.title.trim() === '') findings.push('no title')
  return { findings, document, title: document.title }
}

import { createRequire } from 'node:module'
import type * as HtmlToText from 'html-to-text'
import sanitizeHtml from 'sanitize-html'
import { renderMarkdown } from '../association/markdown.ts'

const load = createRequire(import.meta.url)

/** What a campaign says, safe to store, to show and to mail (docs/product-rules.md#campaign-html); addresses of this site stay paths. */
export interface CampaignWords {
  layout: 'paper' | 'own'
  html: string
  text: string
}

/** From Markdown, to be printed on the association's paper. */
export function wordsOfMarkdown(markdown: string): CampaignWords {
  const html = renderMarkdown(markdown)
  return { layout: 'paper', html, text: textOf(html) }
}

const MAIL_TAGS = [
  ...sanitizeHtml.defaults.allowedTags,
  'img',
  'center',
  'font',
  'u',
  's',
  'del',
  'ins',
  'h1',
  'h2',
] as const
const PLACING = [
  'align',
  'valign',
  'width',
  'height',
  'bgcolor',
  'border',
  'cellpadding',
  'cellspacing',
  'colspan',
  'rowspan',
]
/** Styles that fetch something, leave their place or are read differently by some program. */
const HOSTILE_STYLE = /url\s*\(|expression|behaviou?r|-moz-binding|@import|position\s*:|javascript|\\/i

/** From HTML that somebody made elsewhere: its design stays, whatever could run, load or cover something does not. */
export function wordsOfHtml(given: string): CampaignWords {
  const html = sanitizeHtml(given, {
    allowedTags: [...MAIL_TAGS],
    allowedAttributes: {
      '*': ['style', 'dir', 'lang', 'title', 'role', ...PLACING],
      a: ['href', 'name'],
      img: ['src', 'alt'],
      font: ['color', 'face', 'size'],
    },
    allowedSchemes: ['https', 'http', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['https'] },
    allowProtocolRelative: false,
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'head'],
    transformTags: {
      '*': (tagName, attributes) => {
        const { style, ...others } = attributes
        return { tagName, attribs: style && !HOSTILE_STYLE.test(style) ? { ...others, style } : others }
      },
    },
  }).trim()
  return { layout: 'own', html, text: textOf(html) }
}

const LINE = 78

/** For mail programs and people that read text. */
function textOf(html: string): string {
  // Loaded when a newsletter is written: 40 modules that a site does without on other days.
  return (load('html-to-text') as typeof HtmlToText)
    .convert(html, {
      wordwrap: LINE,
      selectors: [
        { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['(', ')'] } },
        { selector: 'img', format: 'skip' },
        ...['h1', 'h2', 'h3', 'h4'].map((selector) => ({ selector, options: { uppercase: false } })),
      ],
    })
    .trim()
}

import { createRequire } from 'node:module'
import type * as HtmlToText from 'html-to-text'
import sanitizeHtml from 'sanitize-html'
import { renderMarkdown } from '#server/features/content-store/markdown.rules.ts'

const load = createRequire(import.meta.url)

/** The content of a campaign, sanitized (docs/product-rules.md#campaign-html). URLs of this site are stored as paths. */
export interface CampaignContent {
  layout: 'paper' | 'own'
  html: string
  text: string
}

/** The email versions of stored images by their addresses, with their display width in pixels. */
export type EmailPictures = ReadonlyMap<string, { src: string; width: number }>

/** Renders Markdown for the association's email layout. Stored images are replaced by their email versions. */
export function contentFromMarkdown(markdown: string, pictures: EmailPictures = new Map()): CampaignContent {
  const html = replaceStoredImages(renderMarkdown(markdown), pictures)
  return { layout: 'paper', html, text: toPlainText(html) }
}

// Applies only to sanitized HTML: its attributes are quoted and separated by single spaces.
const IMAGE = /<img src="([^"]*)"((?: alt="[^"]*")?)[^>]*\/>/g

function replaceStoredImages(sanitized: string, pictures: EmailPictures): string {
  return sanitized.replaceAll(IMAGE, (image, address: string, alt: string) => {
    const found = pictures.get(address)
    return found ? `<img src="${found.src}"${alt} width="${found.width}" />` : image
  })
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
const LAYOUT_ATTRIBUTES = [
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
/** Styles that load a resource, escape their container or run code in some email client. */
const UNSAFE_STYLE = /url\s*\(|expression|behaviou?r|-moz-binding|@import|position\s*:|javascript|\\/i

/** Sanitizes HTML from elsewhere: keeps its design, removes anything that could run, load or cover something. */
export function contentFromHtml(source: string): CampaignContent {
  const html = sanitizeHtml(source, {
    allowedTags: [...MAIL_TAGS],
    allowedAttributes: {
      '*': ['style', 'dir', 'lang', 'title', 'role', ...LAYOUT_ATTRIBUTES],
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
        return { tagName, attribs: style && !UNSAFE_STYLE.test(style) ? { ...others, style } : others }
      },
    },
  }).trim()
  return { layout: 'own', html, text: toPlainText(html) }
}

const LINE_LENGTH = 78

/** The plain-text version. */
function toPlainText(html: string): string {
  // Loaded on first use: 40 modules that are only needed when a newsletter is written.
  return (load('html-to-text') as typeof HtmlToText)
    .convert(html, {
      wordwrap: LINE_LENGTH,
      selectors: [
        { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['(', ')'] } },
        { selector: 'img', format: 'skip' },
        ...['h1', 'h2', 'h3', 'h4'].map((selector) => ({ selector, options: { uppercase: false } })),
      ],
    })
    .trim()
}

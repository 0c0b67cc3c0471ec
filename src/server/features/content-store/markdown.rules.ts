import { marked } from 'marked'
import sanitizeHtml from 'sanitize-html'

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [
    'h2',
    'h3',
    'h4',
    'p',
    'a',
    'ul',
    'ol',
    'li',
    'strong',
    'em',
    'blockquote',
    'hr',
    'br',
    'code',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'img',
  ],
  allowedAttributes: { a: ['href'], img: ['src', 'alt', 'width', 'height'], th: ['align'], td: ['align'] },
  allowedSchemes: ['https', 'http', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
}

/** Markdown as HTML that is safe to place in a page, whoever wrote it. */
export function renderMarkdown(markdown: string): string {
  return sanitizeHtml(marked.parse(markdown, { async: false, gfm: true }), ALLOWED)
}

// Of sanitised HTML only: an element's attributes are quoted there, and nothing stands between them.
const OWN_LINK = /<a href="(\/[^"]*)">([\s\S]*?)<\/a>/g

/** Shows links to addresses of this site that nobody answers as plain words: a page that is not there yet, or a typing error. */
export function unlinkUnknown(sanitised: string, isKnownPath: (path: string) => boolean): string {
  return sanitised.replace(OWN_LINK, (link, path: string, words: string) => (isKnownPath(path) ? link : words))
}

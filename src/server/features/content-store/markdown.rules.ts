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

/** Renders untrusted Markdown as sanitized HTML. */
export function renderMarkdown(markdown: string): string {
  return sanitizeHtml(marked.parse(markdown, { async: false, gfm: true }), ALLOWED)
}

// Applies only to sanitized HTML: its attributes are quoted and separated by single spaces.
const SITE_LINK = /<a href="(\/[^"]*)">([\s\S]*?)<\/a>/g

/** Replaces links to unknown paths of this site by their text: the page does not exist yet, or the path has a typo. */
export function unlinkUnknownPaths(sanitized: string, isKnownPath: (path: string) => boolean): string {
  return sanitized.replace(SITE_LINK, (link, path: string, text: string) => (isKnownPath(path) ? link : text))
}

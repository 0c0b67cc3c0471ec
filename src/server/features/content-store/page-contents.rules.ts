import { slugify } from './content-kind.rules.ts'

/** A page with more words has a list of contents. */
const LONG_PAGE_WORDS = 700

/** Gives the second-level headings of sanitized HTML an id each, and lists them if the page is long. */
export function withContents(sanitized: string): { html: string; contents: { id: string; title: string }[] } {
  const headings: { id: string; title: string }[] = []
  const html = sanitized.replaceAll(/<h2>(.*?)<\/h2>/gs, (_, inner: string) => {
    const title = decode(inner.replaceAll(/<[^<>]*>/g, '')).trim()
    const slug = slugify(title)
    const isTaken = headings.some(({ id }) => id === slug)
    const id = isTaken ? `${slug}-${headings.length + 1}` : slug
    headings.push({ id, title })
    return `<h2 id="${id}">${inner}</h2>`
  })
  return { html, contents: countWords(sanitized) > LONG_PAGE_WORDS ? headings : [] }
}

function countWords(html: string): number {
  return html
    .replaceAll(/<[^<>]*>/g, ' ')
    .split(/\s+/)
    .filter(Boolean).length
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

function decode(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity)
}

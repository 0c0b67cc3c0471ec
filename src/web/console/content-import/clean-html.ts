import { htmlToMarkdown } from '../markdown/html-to-markdown.ts'

/** A picture of the library of a former website. */
export interface LibraryPicture {
  url: string
  alt: string
}

interface FormerSite {
  /** Its address: links and pictures may be relative to it. */
  base: string
  /** Pictures of its library by id. */
  library?: ReadonlyMap<string, LibraryPicture>
  /** Line breaks count, as in the texts of WordPress before its block editor. */
  hasLineBreaks?: boolean
}

const MOST_NOTES = 12
const TOKEN = 'IMPORTEDPICTURE'
/** An element in which line breaks are no text. */
const NO_TEXT = 'ul, ol, table, thead, tbody, tfoot, tr, pre, script, style'

/**
 * Converts the HTML of a former website to Markdown with absolute URLs. Pictures stay where they are; embedded media become links; forms and scripts are
 * left out, as the notes say. The HTML is parsed without being shown, so nothing in it runs or is loaded.
 */
export function cleanHtml(
  html: string,
  { base, library, hasLineBreaks = false }: FormerSite,
): { text: string; notes: string[] } {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const notes = new Set<string>()
  const pictures: string[] = []
  if (hasLineBreaks) keepLineBreaks(body)
  for (const form of body.querySelectorAll('form')) {
    form.remove()
    notes.add('A form was left out.')
  }
  for (const element of body.querySelectorAll('iframe, video, audio, object, embed'))
    replaceByLink(element, base, notes)
  for (const figure of body.querySelectorAll('.wp-block-embed')) {
    const url = absolute(figure.textContent.trim(), base)
    if (url) figure.replaceWith(linkTo(url, body.ownerDocument))
  }
  // The pictures of a gallery are no list.
  for (const list of body.querySelectorAll('.blocks-gallery-grid, .blocks-gallery-item, .gallery-item')) {
    const block = body.ownerDocument.createElement('div')
    block.append(...list.childNodes)
    list.replaceWith(block)
  }
  for (const caption of body.querySelectorAll('figcaption')) {
    const line = body.ownerDocument.createElement('p')
    const text = body.ownerDocument.createElement('em')
    text.append(...caption.childNodes)
    line.append(text)
    caption.replaceWith(line)
  }
  for (const image of body.querySelectorAll('img')) {
    const markdown = pictureOf(image, base, library)
    if (markdown === null) {
      notes.add('A picture without an address was left out.')
      image.remove()
      continue
    }
    // A link around a picture alone shows it larger.
    const link = image.closest('a')
    const isAlone = link?.textContent.trim() === '' && link.querySelectorAll('img').length === 1
    const shown = isAlone && link ? link : image
    shown.replaceWith(` ${TOKEN}${pictures.push(markdown) - 1}Q `)
  }
  for (const link of body.querySelectorAll('a[href]')) {
    const url = absolute(link.getAttribute('href') ?? '', base)
    if (!url) continue
    link.setAttribute('href', url)
    const file = /\/wp-content\/uploads\/.*\/([^/?#]+\.(?!jpe?g|png|gif|webp)\w{2,4})$/i.exec(url)?.[1]
    if (file !== undefined)
      notes.add(`It links to a file of the former website: ${file.slice(0, 200)}. Upload it under Documents.`)
  }
  const text = htmlToMarkdown(body.innerHTML).replaceAll(
    new RegExp(String.raw`${TOKEN}(\d+)Q`, 'g'),
    (_, index: string) => pictures[Number(index)] ?? '',
  )
  return { text, notes: [...notes].slice(0, MOST_NOTES) }
}

/** The text of HTML in one line, with its entities decoded. */
export function plainText(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const element of body.querySelectorAll('script, style')) element.remove()
  return body.textContent.replaceAll(/\s+/g, ' ').trim()
}

/** An http or https URL; null for others, such as `javascript:` and `#top`. */
export function absolute(address: string, base: string): string | null {
  if (address === '' || address.startsWith('#') || !URL.canParse(address, base || undefined)) return null
  const url = new URL(address, base || undefined)
  // Jetpack shows pictures from a host of its own, which has the former host in the path.
  const direct = /^i\d\.wp\.com$/.test(url.hostname) ? new URL(`https:/${url.pathname}`) : url
  if (!/^https?:$/.test(direct.protocol) || direct.href.length > 2_000) return null
  return direct.href.replaceAll('(', '%28').replaceAll(')', '%29')
}

function pictureOf(
  image: HTMLImageElement,
  base: string,
  library?: ReadonlyMap<string, LibraryPicture>,
): string | null {
  const id = /\bwp-image-(\d+)\b/.exec(image.className)?.[1]
  const known = id === undefined ? undefined : library?.get(id)
  const source = image.getAttribute('data-src') ?? image.getAttribute('src') ?? ''
  const url = known?.url ?? (source.startsWith('data:') ? null : absolute(source, base))
  if (url === null) return null
  const alt = (image.getAttribute('alt') || known?.alt || '').replaceAll(/[[\]\s\\]+/g, ' ').trim()
  return `![${alt.slice(0, 300)}](${url})`
}

function replaceByLink(element: Element, base: string, notes: Set<string>): void {
  const source =
    element.getAttribute('src') ??
    element.getAttribute('data') ??
    element.querySelector('source')?.getAttribute('src') ??
    ''
  const url = absolute(source, base)
  if (!url) {
    element.remove()
    notes.add('Something embedded was left out.')
    return
  }
  const id = /^https:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]{5,20})/.exec(url)?.[1]
  element.replaceWith(linkTo(id === undefined ? url : `https://www.youtube.com/watch?v=${id}`, element.ownerDocument))
  notes.add('Embedded media became a link.')
}

function linkTo(url: string, document: Document): Element {
  const line = document.createElement('p')
  const link = document.createElement('a')
  link.href = url
  link.textContent = url.replace(/^https?:\/\/(?:www\.)?/, '')
  line.append(link)
  return line
}

/** A blank line separates paragraphs, and a line break is one. */
function keepLineBreaks(body: HTMLElement): void {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    const isBetweenBlocks = text.data.trim() === '' && !/\n\s*\n/.test(text.data)
    if (isBetweenBlocks || !text.data.includes('\n') || text.parentElement?.matches(NO_TEXT)) continue
    const parts = text.data.split(/(\n\s*\n|\n)/)
    text.replaceWith(
      ...parts.flatMap((part, index): (string | Node)[] => {
        if (index % 2 === 0) return part === '' ? [] : [part]
        return Array.from({ length: part === '\n' ? 1 : 2 }, () => body.ownerDocument.createElement('br'))
      }),
    )
  }
}

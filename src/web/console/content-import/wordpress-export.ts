import {
  EXPORT_UNREADABLE,
  IMPORT_MAX_ITEMS,
  type FoundContent,
  type ImportItem,
} from '#contract/console/website/content-import.ts'
import { absolute, cleanHtml, plainText, type LibraryPicture } from './clean-html.ts'
import { replaceShortcodes } from './shortcodes.rules.ts'

const KINDS: Partial<Record<string, ImportItem['kind']>> = { post: 'news', page: 'page' }
const DROPPED_KINDS: Record<string, string> = {
  attachment: 'Pictures and files of the library (pictures come with the texts that show them)',
  nav_menu_item: 'Menu items',
  wp_block: 'Reusable blocks',
  revision: 'Earlier versions',
}
/** Blocks without a text of their own that leave nothing to miss. */
const SILENT_BLOCKS = /^(?:core\/)?(?:separator|spacer|more|nextpage|image)$/
// oxlint-disable-next-line no-control-regex -- XML 1.0 does not allow these, but exports have them
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/**
 * Reads a WordPress export (WXR 1.0 to 1.2: RSS 2.0 with elements of its own, as `wp-admin/includes/export.php` writes them). A document type, and with it
 * every entity definition, is refused: exports have none.
 * @throws Error with a sentence for the officer
 */
export function readWordPressExport(xml: string): FoundContent {
  const root = xml.search(/<rss[\s>]/)
  if (root < 0 || /<!DOCTYPE|<!ENTITY/i.test(xml.slice(0, root))) throw new Error(EXPORT_UNREADABLE)
  const document = new DOMParser().parseFromString(xml.replaceAll(NOT_XML, ''), 'text/xml')
  const channel = document.querySelector('rss > channel')
  if (document.querySelector('parsererror') || !channel)
    throw new Error('The file is damaged or incomplete. Export it again.')
  const site = absolute(textAt(channel, 'base_blog_url') || textAt(channel, 'link'), '') ?? ''
  const authors = new Map(
    childrenNamed(channel, 'author').map((one) => [textAt(one, 'author_login'), textAt(one, 'author_display_name')]),
  )
  const all = childrenNamed(channel, 'item')
  const library = readLibrary(all, site)
  const leftOut = new Map<string, number>()
  const drop = (what: string, count = 1) => leftOut.set(what, (leftOut.get(what) ?? 0) + count)
  const items: ImportItem[] = []
  let comments = 0
  for (const one of all) {
    comments += childrenNamed(one, 'comment').length
    const type = textAt(one, 'post_type')
    const status = textAt(one, 'status')
    const kind = KINDS[type]
    if (!kind) drop(DROPPED_KINDS[type] ?? `Items of the kind “${type.slice(0, 60)}”`)
    else if (status === 'trash' || status === 'auto-draft') drop('Items in the trash')
    else items.push(readItem(one, kind, { site, authors, library }))
  }
  if (comments > 0) drop('Comments', comments)
  if (items.length > IMPORT_MAX_ITEMS) throw new Error(TOO_MANY)
  return { source: 'wordpress', site, items, leftOut: [...leftOut].map(([what, count]) => ({ what, count })) }
}

export const TOO_MANY = `The file has more than ${IMPORT_MAX_ITEMS.toLocaleString('en-US')} posts and pages. Export in parts, such as one year at a time.`

function readItem(
  item: Element,
  kind: ImportItem['kind'],
  {
    site,
    authors,
    library,
  }: { site: string; authors: ReadonlyMap<string, string>; library: ReadonlyMap<string, LibraryPicture> },
): ImportItem {
  const id = textAt(item, 'post_id')
  const html = textAt(item, 'encoded', 'content')
  const shortcodes = replaceShortcodes(html, library)
  const { text, notes } = cleanHtml(shortcodes.html, { base: site, library, hasLineBreaks: !html.includes('<!-- wp:') })
  const isProtected = textAt(item, 'post_password') !== ''
  const top = library.get(metaOf(item, '_thumbnail_id'))
  const day = textAt(item, 'post_date').slice(0, 10)
  return {
    kind,
    address: absolute(textAt(item, 'link'), site) ?? `${site}/?p=${id}`,
    otherPaths: [`/?p=${id}`, ...(kind === 'page' ? [`/?page_id=${id}`] : [])],
    title: plainText(textAt(item, 'title')),
    slug: decodeURIComponentSafely(textAt(item, 'post_name')),
    isPublished: textAt(item, 'status') === 'publish' && !isProtected,
    date: /^(?!0000)\d{4}-\d\d-\d\d$/.test(day) ? day : '',
    author: authors.get(textAt(item, 'creator')) || textAt(item, 'creator'),
    excerpt: plainText(textAt(item, 'encoded', 'excerpt')),
    text,
    picture: top?.url ?? '',
    pictureAlt: top?.alt ?? '',
    time: '',
    location: '',
    notes: [
      ...(isProtected ? ['It was password-protected.'] : []),
      ...shortcodes.notes,
      ...dynamicBlocks(html),
      ...notes,
    ].slice(0, 20),
    obstacle: '',
  }
}

function readLibrary(items: readonly Element[], site: string): Map<string, LibraryPicture> {
  const library = new Map<string, LibraryPicture>()
  for (const item of items) {
    const url = textAt(item, 'post_type') === 'attachment' ? absolute(textAt(item, 'attachment_url'), site) : null
    if (url) library.set(textAt(item, 'post_id'), { url, alt: metaOf(item, '_wp_attachment_image_alt') })
  }
  return library
}

/** Blocks that WordPress fills when it shows the page, such as `<!-- wp:latest-posts /-->`. */
function dynamicBlocks(html: string): string[] {
  const names = [...html.matchAll(/<!-- wp:([a-z][\w/-]*)[^>]*\/-->/g)].map(([, name = '']) => name)
  const missed = [...new Set(names)].filter((name) => !SILENT_BLOCKS.test(name))
  return missed.slice(0, 5).map((name) => `The block “${name.slice(0, 60)}” was left out.`)
}

/** The children with a local name, whatever version their namespace has. */
function childrenNamed(parent: Element, name: string): Element[] {
  return [...parent.children].filter(({ localName }) => localName === name)
}

/** @param prefix tells `content:encoded` from `excerpt:encoded` */
function textAt(parent: Element, name: string, prefix?: string): string {
  const found = childrenNamed(parent, name).find((one) => prefix === undefined || one.prefix === prefix)
  return found?.textContent.trim() ?? ''
}

function metaOf(item: Element, key: string): string {
  const meta = childrenNamed(item, 'postmeta').find((one) => textAt(one, 'meta_key') === key)
  return meta ? textAt(meta, 'meta_value') : ''
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

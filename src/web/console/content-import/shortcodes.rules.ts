import type { LibraryPicture } from './clean-html.ts'

/** Names that are shortcodes even without attributes; others may be words in brackets, such as “[sic]”. */
const KNOWN = new Set(['audio', 'caption', 'embed', 'gallery', 'playlist', 'video', 'youtube'])
const SHORTCODE = /\[(\/?)([a-z][\w-]*)((?:\s[^\]]*)?)\]/gi

/**
 * Replaces shortcodes in a text of WordPress (https://codex.wordpress.org/Shortcode_API): galleries become pictures, embedded media links, and captions
 * stay. Of others only what they enclose is kept, and a note names each.
 */
export function replaceShortcodes(
  html: string,
  library: ReadonlyMap<string, LibraryPicture>,
): { html: string; notes: string[] } {
  const left = new Set<string>()
  const closed = new Set([...html.matchAll(/\[\/([a-z][\w-]*)\]/gi)].map(([, name = '']) => name.toLowerCase()))
  const replaced = html.replaceAll(SHORTCODE, (whole, slash: string, given: string, attributes: string) => {
    const name = given.toLowerCase()
    const isShortcode = KNOWN.has(name) || closed.has(name) || attributes.includes('=') || /[-_]/.test(name)
    if (!isShortcode) return whole
    if (name === 'caption') return slash ? '</div>' : '<div>'
    if (name === 'embed') return ''
    if (name === 'gallery') {
      const ids = attributeOf(attributes, 'ids')?.split(',') ?? []
      if (ids.length === 0) left.add(name)
      return ids
        .map((id) => `<p><img class="wp-image-${Number(id)}" src="${library.has(id.trim()) ? '/' : ''}"></p>`)
        .join('')
    }
    const media = /^(?:audio|video|youtube)$/.test(name) && /https?:\/\/[^\s"'\]]+/.exec(attributes)?.[0]
    if (media) return `<p><a href="${media}">${media}</a></p>`
    if (!slash) left.add(name)
    return ''
  })
  return {
    html: replaced,
    notes: [...left].slice(0, 5).map((name) => `The shortcode [${name.slice(0, 60)}] was left out.`),
  }
}

function attributeOf(attributes: string, name: string): string | undefined {
  return new RegExp(String.raw`\b${name}=["']?([^"'\]]*)`, 'i').exec(attributes)?.[1]
}

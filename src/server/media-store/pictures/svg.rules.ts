/**
 * Returns why an SVG is rejected, or null. It may contain shapes, styles and references to its own parts, but nothing that runs, loads or links elsewhere.
 * It is rejected rather than sanitized, so that it is shown exactly as drawn. Every pattern is linear in the length of the text.
 */
export function svgError(text: string): string | null {
  if (!/<svg[\s>]/i.test(text)) return 'This is not an SVG image.'
  const decoded = decodeCharacterReferences(text)
  for (const [pattern, fault] of FAULTS) if (pattern.test(decoded)) return fault
  for (const url of urlsIn(decoded)) if (!isInternal(url)) return OUTSIDE
  return null
}

const SCRIPT = 'This image contains a script. Export it as plain SVG from your drawing program.'
const OUTSIDE = 'This image loads or links to something elsewhere. Remove that, then export it as plain SVG.'
const ENTITIES = 'This image declares entities. Export it as plain SVG from your drawing program.'
const WEB_PAGE = 'This image contains parts of a web page. Export it as plain SVG.'

/** The patterns also match elements with a namespace prefix, such as `svg:script`. */
const FAULTS: [RegExp, string][] = [
  [/<!(?:DOCTYPE[^<>[]*\[|ENTITY)/i, ENTITIES],
  [/<\?xml-stylesheet/i, OUTSIDE],
  [/<(?:[\w-]+:)?(?:script|handler|listener)\b/i, SCRIPT],
  [/<(?:[\w-]+:)?(?:foreignObject|iframe|object|embed|audio|video|canvas)\b/i, WEB_PAGE],
  [/<(?:[\w-]+:)?a[\s/>]/i, OUTSIDE],
  // An attribute may follow white space, a slash or the previous attribute.
  [/[\s/"']on[a-z]+\s*=/i, SCRIPT],
  // An animation could set a link or an event handler later.
  [/\battributeName\s*=\s*(?:["']\s*)?(?:[\w-]+:)?(?:href|on\w)/i, SCRIPT],
  [/@import\b/i, OUTSIDE],
  // CSS escapes can disguise `url` and `@import`.
  [/\\[0-9a-f]/i, OUTSIDE],
]

/** Browsers read `&#64;import` as `@import`. */
function decodeCharacterReferences(text: string): string {
  return text.replaceAll(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (_, hexadecimal?: string, decimal?: string) => {
    const code = hexadecimal ? Number.parseInt(hexadecimal, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

function urlsIn(text: string): string[] {
  const attributes = text.matchAll(/\b(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi)
  const functions = text.matchAll(/\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^()"'\s]*))/gi)
  return [...attributes, ...functions].map(([, double, single, bare]) => (double ?? single ?? bare ?? '').trim())
}

/** A fragment such as `#part`, or an embedded image. */
function isInternal(url: string): boolean {
  return url === '' || url.startsWith('#') || /^data:image\/(?:png|jpeg|webp|gif);base64,/i.test(url)
}

/**
 * Why an SVG may not be stored, or null. A drawing may hold shapes, styles and its own parts; nothing that runs, loads or leads elsewhere. It is
 * refused rather than cleaned, so that what is shown is what was drawn. Every pattern is linear in the length of the text.
 */
export function faultOfDrawing(text: string): string | null {
  if (!/<svg[\s>]/i.test(text)) return 'This is not an SVG drawing.'
  const plain = readReferences(text)
  for (const [pattern, fault] of FAULTS) if (pattern.test(plain)) return fault
  for (const address of addressesIn(plain)) if (!isOwnPart(address)) return OUTSIDE
  return null
}

const SCRIPT = 'This drawing holds a script. Export it from the drawing program as plain SVG.'
const OUTSIDE = 'This drawing loads something from elsewhere or leads there. Remove it, then export it as plain SVG.'
const ENTITIES = 'This drawing declares entities. Export it from the drawing program as plain SVG.'
const WEB_PAGE = 'This drawing holds parts of a web page. Export it as plain SVG.'

/** A prefix (`svg:script`) does not hide an element. */
const FAULTS: [RegExp, string][] = [
  [/<!(?:DOCTYPE[^<>[]*\[|ENTITY)/i, ENTITIES],
  [/<\?xml-stylesheet/i, OUTSIDE],
  [/<(?:[\w-]+:)?(?:script|handler|listener)\b/i, SCRIPT],
  [/<(?:[\w-]+:)?(?:foreignObject|iframe|object|embed|audio|video|canvas)\b/i, WEB_PAGE],
  [/<(?:[\w-]+:)?a[\s/>]/i, OUTSIDE],
  // After white space, a slash or the end of the attribute before.
  [/[\s/"']on[a-z]+\s*=/i, SCRIPT],
  // An animation could give a part an address, or a handler, later on.
  [/\battributeName\s*=\s*(?:["']\s*)?(?:[\w-]+:)?(?:href|on\w)/i, SCRIPT],
  [/@import\b/i, OUTSIDE],
  // Escapes of CSS can spell `url` and `@import` so that nobody finds them.
  [/\\[0-9a-f]/i, OUTSIDE],
]

/** `&#64;import` is `@import` to a browser. */
function readReferences(text: string): string {
  return text.replaceAll(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (_, hexadecimal?: string, decimal?: string) => {
    const code = hexadecimal ? Number.parseInt(hexadecimal, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

function addressesIn(text: string): string[] {
  const attributes = text.matchAll(/\b(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi)
  const functions = text.matchAll(/\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^()"'\s]*))/gi)
  return [...attributes, ...functions].map(([, double, single, bare]) => (double ?? single ?? bare ?? '').trim())
}

/** `#part`, or a picture within the drawing itself. */
function isOwnPart(address: string): boolean {
  return address === '' || address.startsWith('#') || /^data:image\/(?:png|jpeg|webp|gif);base64,/i.test(address)
}

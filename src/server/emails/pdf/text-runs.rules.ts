/** A run of text in one font and one direction. */
export interface TextRun<Font> {
  /** In logical order, also if it is drawn from right to left. */
  text: string
  font: Font
  isRightToLeft: boolean
}

/** Finds a font that covers all of these characters; null if none does. */
export type FindFont<Font> = (characters: string, before: Font | null) => Font | null

interface Cluster<Font> {
  text: string
  font: Font
  direction: 'left' | 'right' | 'number' | 'neutral'
}

const CLUSTERS = new Intl.Segmenter('en', { granularity: 'grapheme' })
const RIGHT_TO_LEFT = /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}/u
const NUMBER = /^\p{Nd}$/u
const ALPHABETIC = /\p{L}|\p{M}/u
/** Invisible characters, except the two joiners, which change the shape of adjacent characters. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Variation_Selector}]/gu
const ONLY_JOINERS = /^[\u200c\u200d]*$/u
const PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u20e3/u
const MIRRORED: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
}

/** Scripts that are replaced by their name if no font covers them. */
const OTHER_SCRIPTS = [
  'Hebr',
  'Thai',
  'Sinh',
  'Geor',
  'Armn',
  'Ethi',
  'Khmr',
  'Laoo',
  'Mymr',
  'Tibt',
  'Mong',
  'Cher',
  'Syrc',
  'Thaa',
  'Olck',
  'Mtei',
  'Limb',
  'Cans',
  'Tfng',
  'Nkoo',
].map((code) => ({ code, pattern: new RegExp(`\\p{Script=${code}}`, 'u') }))
const SCRIPT_NAMES = new Intl.DisplayNames('en', { type: 'script' })

/**
 * Splits a text into runs in visual order, from left to right. Emoji and marks that no font covers are dropped; text in a script without a font is replaced
 * by its name: "[Thai]".
 */
export function splitIntoRuns<Font>(text: string, findFont: FindFont<Font>): TextRun<Font>[] {
  return inVisualOrder(clustersOf(text, findFont))
}

function clustersOf<Font>(text: string, findFont: FindFont<Font>): Cluster<Font>[] {
  const clusters: Cluster<Font>[] = []
  let unknown = ''
  const add = (part: string, font: Font) => clusters.push({ text: part, font, direction: directionOf(part) })
  const endUnknown = () => {
    for (const part of `${unknown} `) {
      const font = findFont(part, clusters.at(-1)?.font ?? null)
      if (font !== null) add(part, font)
    }
    unknown = ''
  }
  for (const { segment } of CLUSTERS.segment(text.normalize('NFC'))) {
    const drawn = drawable(segment, clusters.at(-1)?.font ?? null, findFont)
    if (drawn === null) {
      const name = nameOf(segment)
      if (unknown !== '' && name !== unknown) endUnknown()
      unknown = name
    }
    if (drawn === null || drawn.length === 0) continue
    // Words of one unknown script share one name, so the space between them is dropped.
    if (unknown !== '' && segment.trim() === '') continue
    if (unknown !== '') endUnknown()
    for (const [part, font] of drawn) add(part, font)
  }
  if (unknown !== '') endUnknown()
  return withoutDoubleSpaces(clusters)
}

/** Assigns a font to each part of the cluster; empty if it is invisible, null if no font covers it. */
function drawable<Font>(cluster: string, before: Font | null, findFont: FindFont<Font>): [string, Font][] | null {
  const visible = cluster.replaceAll(INVISIBLE, '')
  if (ONLY_JOINERS.test(visible)) return []
  const found = findFont(visible, before)
  if (found !== null) return [[visible, found]]
  if (PICTURE.test(visible)) return []
  // Try compatibility forms, such as full-width characters, then the character without its marks.
  for (const plain of [visible.normalize('NFKC'), visible.normalize('NFKD').replaceAll(/\p{M}/gu, '')]) {
    const font = plain === '' ? null : findFont(plain, before)
    if (font !== null) return [[plain, font]]
  }
  return null
}

/** The name of the script, such as "[Thai]"; "[…]" for characters of other scripts. */
function nameOf(cluster: string): string {
  const script = OTHER_SCRIPTS.find(({ pattern }) => pattern.test(cluster))
  return script ? `[${SCRIPT_NAMES.of(script.code)}]` : ALPHABETIC.test(cluster) ? '[…]' : ''
}

/** Removes double spaces where characters were dropped. */
function withoutDoubleSpaces<Font>(clusters: readonly Cluster<Font>[]): Cluster<Font>[] {
  return clusters.filter(({ text }, index) => text !== ' ' || ![' ', undefined].includes(clusters[index + 1]?.text))
}

function directionOf(text: string): Cluster<unknown>['direction'] {
  if (NUMBER.test(text)) return 'number'
  if (RIGHT_TO_LEFT.test(text)) return 'right'
  return ALPHABETIC.test(text) ? 'left' : 'neutral'
}

/** Reverses right-to-left runs into visual order; numbers within them are unchanged (a subset of UAX 9). */
function inVisualOrder<Font>(clusters: readonly Cluster<Font>[]): TextRun<Font>[] {
  const pieces: TextRun<Font>[] = []
  let from = 0
  while (from < clusters.length) {
    if (clusters[from]?.direction !== 'right') {
      push(pieces, clusters[from] as Cluster<Font>, false)
      from++
      continue
    }
    const end = endOfRightToLeft(clusters, from)
    const block: TextRun<Font>[] = []
    for (const [index, cluster] of clusters.slice(from, end).entries()) {
      const { direction, text, font } = cluster
      // A space or bracket is its own run, so that it is reordered with the words.
      const follows = index > 0 && direction !== 'neutral' && clusters[from + index - 1]?.direction === direction
      if (follows) push(block, cluster, direction === 'right')
      else block.push({ text: MIRRORED[text] ?? text, font, isRightToLeft: direction === 'right' })
    }
    pieces.push(...block.reverse())
    from = end
  }
  return pieces
}

/** The index after the last right-to-left character before a left-to-right one. */
function endOfRightToLeft<Font>(clusters: readonly Cluster<Font>[], from: number): number {
  let end = from + 1
  for (let index = from; index < clusters.length && clusters[index]?.direction !== 'left'; index++) {
    if (clusters[index]?.direction === 'right') end = index + 1
  }
  return end
}

function push<Font>(pieces: TextRun<Font>[], { text, font }: Cluster<Font>, isRightToLeft: boolean): void {
  const last = pieces.at(-1)
  if (last?.font === font && last.isRightToLeft === isRightToLeft) last.text += text
  else pieces.push({ text, font, isRightToLeft })
}

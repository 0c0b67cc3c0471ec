/** Letters that one font draws in one direction. */
export interface Piece<Font> {
  /** As it is read, also where it is drawn from right to left. */
  text: string
  font: Font
  isRightToLeft: boolean
}

/** Which font draws these letters together; null when none does. */
export type FindFont<Font> = (letters: string, before: Font | null) => Font | null

interface Cluster<Font> {
  text: string
  font: Font
  direction: 'left' | 'right' | 'number' | 'neutral'
}

const CLUSTERS = new Intl.Segmenter('en', { granularity: 'grapheme' })
const RIGHT_TO_LEFT = /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}/u
const NUMBER = /^\p{Nd}$/u
const LETTER = /\p{L}|\p{M}/u
/** Seen by no one. The two joiners stay: letters look different beside them. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Variation_Selector}]/gu
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

/** Scripts that a reader may be told the name of when no font has their letters. */
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
].map((code) => ({ code, letters: new RegExp(`\\p{Script=${code}}`, 'u') }))
const SCRIPT_NAMES = new Intl.DisplayNames('en', { type: 'script' })

/**
 * A text in the pieces that are drawn one after the other, from left to right. Pictures such as emoji fall away, and so do marks that no font has; letters of a
 * script without a font are named instead: "[Thai]".
 */
export function piecesOf<Font>(text: string, findFont: FindFont<Font>): Piece<Font>[] {
  return inOrderOfSight(clustersOf(text, findFont))
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
    // A space between two words that are named with one name changes nothing.
    if (unknown !== '' && segment.trim() === '') continue
    if (unknown !== '') endUnknown()
    for (const [part, font] of drawn) add(part, font)
  }
  if (unknown !== '') endUnknown()
  return withoutDoubleSpaces(clusters)
}

/** The cluster with a font for each of its parts; empty when there is nothing to be seen, null when no font has its letter. */
function drawable<Font>(cluster: string, before: Font | null, findFont: FindFont<Font>): [string, Font][] | null {
  const seen = cluster.replaceAll(UNSEEN, '')
  if (ONLY_JOINERS.test(seen)) return []
  const found = findFont(seen, before)
  if (found !== null) return [[seen, found]]
  if (PICTURE.test(seen)) return []
  // Other forms of a letter, such as the wide ones; then the letter without marks that no font has.
  for (const plain of [seen.normalize('NFKC'), seen.normalize('NFKD').replaceAll(/\p{M}/gu, '')]) {
    const font = plain === '' ? null : findFont(plain, before)
    if (font !== null) return [[plain, font]]
  }
  return null
}

/** "[Thai]"; for what has no name, a mark that something stood here. */
function nameOf(cluster: string): string {
  const script = OTHER_SCRIPTS.find(({ letters }) => letters.test(cluster))
  return script ? `[${SCRIPT_NAMES.of(script.code)}]` : LETTER.test(cluster) ? '[…]' : ''
}

/** What fell away leaves no gap. */
function withoutDoubleSpaces<Font>(clusters: readonly Cluster<Font>[]): Cluster<Font>[] {
  return clusters.filter(({ text }, index) => text !== ' ' || ![' ', undefined].includes(clusters[index + 1]?.text))
}

function directionOf(text: string): Cluster<unknown>['direction'] {
  if (NUMBER.test(text)) return 'number'
  if (RIGHT_TO_LEFT.test(text)) return 'right'
  return LETTER.test(text) ? 'left' : 'neutral'
}

/** What is written from right to left stands in that order, from its first letter to its last; numbers within stay as they are (UAX 9, in short). */
function inOrderOfSight<Font>(clusters: readonly Cluster<Font>[]): Piece<Font>[] {
  const pieces: Piece<Font>[] = []
  let from = 0
  while (from < clusters.length) {
    if (clusters[from]?.direction !== 'right') {
      push(pieces, clusters[from] as Cluster<Font>, false)
      from++
      continue
    }
    const end = endOfRightToLeft(clusters, from)
    const block: Piece<Font>[] = []
    for (const [index, cluster] of clusters.slice(from, end).entries()) {
      const { direction, text, font } = cluster
      // A space or a bracket stands alone, so that it changes its place with the words.
      const follows = index > 0 && direction !== 'neutral' && clusters[from + index - 1]?.direction === direction
      if (follows) push(block, cluster, direction === 'right')
      else block.push({ text: MIRRORED[text] ?? text, font, isRightToLeft: direction === 'right' })
    }
    pieces.push(...block.reverse())
    from = end
  }
  return pieces
}

/** After the last letter from right to left before one from left to right. */
function endOfRightToLeft<Font>(clusters: readonly Cluster<Font>[], from: number): number {
  let end = from + 1
  for (let index = from; index < clusters.length && clusters[index]?.direction !== 'left'; index++) {
    if (clusters[index]?.direction === 'right') end = index + 1
  }
  return end
}

function push<Font>(pieces: Piece<Font>[], { text, font }: Cluster<Font>, isRightToLeft: boolean): void {
  const last = pieces.at(-1)
  if (last?.font === font && last.isRightToLeft === isRightToLeft) last.text += text
  else pieces.push({ text, font, isRightToLeft })
}

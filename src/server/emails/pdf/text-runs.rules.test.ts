import { expect, test } from 'vitest'
import { splitIntoRuns } from './text-runs.rules.ts'

/** Three fonts: Western without ő, Devanagari and Arabic; spaces and brackets are Western. */
function findFont(characters: string): string | null {
  const fonts = { western: /^[ -~é…]+$/, devanagari: /^[\u0900-\u097f\u200d]+$/, arabic: /^[\u0600-\u06ff]+$/ }
  return Object.entries(fonts).find(([, has]) => has.test(characters))?.[0] ?? null
}

test.each<[text: string, pieces: [text: string, font: string][]]>([
  ['Ana Rao', [['Ana Rao', 'western']]],
  [
    'Ana अनघा Rao',
    [
      ['Ana ', 'western'],
      ['अनघा', 'devanagari'],
      [' Rao', 'western'],
    ],
  ],
  // Right-to-left words are reordered; the font reverses their characters.
  [
    'ab محمد عبد cd',
    [
      ['ab ', 'western'],
      ['عبد', 'arabic'],
      [' ', 'western'],
      ['محمد', 'arabic'],
      [' cd', 'western'],
    ],
  ],
  // A number between two such words is unchanged, and brackets are mirrored.
  [
    'محمد (12) عبد',
    [
      ['عبد', 'arabic'],
      [' ', 'western'],
      ['(', 'western'],
      ['12', 'western'],
      [')', 'western'],
      [' ', 'western'],
      ['محمد', 'arabic'],
    ],
  ],
  // A number after the last right-to-left character is not part of the run.
  [
    'محمد 12',
    [
      ['محمد', 'arabic'],
      [' 12', 'western'],
    ],
  ],
  ['Erdő', [['Erdo', 'western']]],
  ['ﬁ Ａna', [['fi Ana', 'western']]],
  ['Ana 🎉 Rao', [['Ana Rao', 'western']]],
  ['🎉', []],
  ['', []],
  ['สมชาย ใจดี', [['[Thai]', 'western']]],
  ['Ana สมชาย Rao', [['Ana [Thai] Rao', 'western']]],
  ['สมชาย שלום', [['[Thai] [Hebrew]', 'western']]],
])('%j is drawn as %j', (text, pieces) => {
  expect(splitIntoRuns(text, findFont).map((piece) => [piece.text, piece.font])).toEqual(pieces)
})

test('right-to-left runs are marked', () => {
  expect(splitIntoRuns('a محمد', findFont).map(({ isRightToLeft }) => isRightToLeft)).toEqual([false, true])
})

test('decomposed characters are composed first', () => {
  expect(splitIntoRuns('e\u0301', findFont)).toEqual([{ text: 'é', font: 'western', isRightToLeft: false }])
})

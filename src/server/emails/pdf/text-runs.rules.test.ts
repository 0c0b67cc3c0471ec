import { expect, test } from 'vitest'
import { piecesOf } from './pieces.rules.ts'

/** Three fonts: Western letters without ő, Devanagari, Arabic; spaces and brackets are Western. */
function findFont(letters: string): string | null {
  const fonts = { western: /^[ -~é…]+$/, devanagari: /^[\u0900-\u097f\u200d]+$/, arabic: /^[\u0600-\u06ff]+$/ }
  return Object.entries(fonts).find(([, has]) => has.test(letters))?.[0] ?? null
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
  // Words from right to left change places, letters are turned by the font.
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
  // A number between two such words stays as it is, and brackets are mirrored.
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
  // A number after the last letter is outside.
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
  expect(piecesOf(text, findFont).map((piece) => [piece.text, piece.font])).toEqual(pieces)
})

test('letters that are drawn from right to left say so', () => {
  expect(piecesOf('a محمد', findFont).map(({ isRightToLeft }) => isRightToLeft)).toEqual([false, true])
})

test('letters that were taken apart are put together first', () => {
  expect(piecesOf('e\u0301', findFont)).toEqual([{ text: 'é', font: 'western', isRightToLeft: false }])
})

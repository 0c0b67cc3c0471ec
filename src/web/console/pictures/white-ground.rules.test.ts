import { expect, test } from 'vitest'
import { hasWhiteGround } from './white-ground.rules.ts'

const COLORS: Record<string, number[]> = {
  w: [255, 255, 255, 255],
  n: [250, 248, 246, 255],
  t: [255, 255, 255, 0],
  b: [20, 40, 90, 255],
}

test.each([
  ['white around a mark', ['www', 'wbw', 'www'], true],
  ['nearly white', ['nnn', 'nbn', 'nnn'], true],
  ['transparent around a mark', ['ttt', 'tbt', 'ttt'], false],
  ['a mark that reaches the edge', ['www', 'bbw', 'www'], false],
  ['a color all over', ['bbb', 'bbb', 'bbb'], false],
  ['a line', ['www'], false],
])('%s', (_, rows, expected) => {
  const pixels = rows.flatMap((row) => [...row].flatMap((color) => COLORS[color] ?? []))
  expect(hasWhiteGround(pixels, rows[0]?.length ?? 0, rows.length)).toBe(expected)
})

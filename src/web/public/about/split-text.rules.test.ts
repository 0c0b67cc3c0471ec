import { expect, test } from 'vitest'
import { splitFirstSection } from './split-text.rules.ts'

test.each([
  ['', '', ''],
  ['<p>A</p>', '<p>A</p>', ''],
  ['<h2>A</h2><p>B</p>', '<h2>A</h2><p>B</p>', ''],
  ['<h2 id="a">A</h2><h2 id="b">B</h2><h2>C</h2>', '<h2 id="a">A</h2>', '<h2 id="b">B</h2><h2>C</h2>'],
  ['<p>A</p><h2>B</h2><p>C</p><h2>D</h2>', '<p>A</p><h2>B</h2><p>C</p>', '<h2>D</h2>'],
])('%s is split before its second heading', (html, first, rest) => {
  expect(splitFirstSection(html)).toEqual([first, rest])
})

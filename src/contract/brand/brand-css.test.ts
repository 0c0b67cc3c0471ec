import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { brandCss } from './brand-css.ts'
import { SHIPPED_BRAND, type PublishedBrand } from './brand.ts'

const shipped: PublishedBrand = { ...SHIPPED_BRAND, version: 'a1b2c3d4' }

test('the shipped look needs no style', () => {
  expect(brandCss(shipped)).toBe('')
})

test('two other colors change their families, in both themes, and the borders', () => {
  const css = brandCss({ ...shipped, primary: '#5b21b6' })
  expect(css).toMatch(/^:root\{.*--deep:#5b21b6;.*--heading:#5b21b6;/)
  expect(css).toMatch(/@media\(prefers-color-scheme:dark\)\{:root:not\(\[data-theme=light\]\)\{--paper:#/)
  expect(css).toContain('--toran:url(/art/border-toran.svg?v=a1b2c3d4)')
  expect(css).not.toContain('--saffron')
})

test.each([
  [{ typefaces: 'anek' }, ':root{--serif:var(--sans)}'],
  [{ typefaces: 'eczar' }, ':root{--sans:var(--serif)}'],
  [{ mark: '/media/home/articles/m.svg', isMarkInOneColor: true }, ':root{--mark:url(/favicon.svg?v=a1b2c3d4)}'],
] as [Partial<PublishedBrand>, string][])('%j', (change, css) => {
  expect(brandCss({ ...shipped, ...change })).toBe(css)
})

test('a mark in its own colors is painted, and no prints are left without prints', () => {
  const css = brandCss({ ...shipped, mark: '/media/home/articles/m.png', prints: 'none' })
  expect(css).toContain('--mark-paint:url(/favicon.svg?v=a1b2c3d4) center/contain no-repeat;--mark-shape:none')
  expect(css).toContain('--toran:none;--hem:none;--jali:linear-gradient(#0000,#0000)')
})

test('the most that a brand can change is at most 1 kB in the page', () => {
  const css = brandCss({
    primary: '#5b21b6',
    accent: '#0a7d5c',
    typefaces: 'system',
    prints: 'none',
    mark: '/media/home/articles/m.png',
    version: 'a1b2c3d4',
  })
  expect(gzipSync(css).length).toBeLessThanOrEqual(1_024)
})

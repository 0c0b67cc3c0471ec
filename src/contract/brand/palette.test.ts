import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { SHIPPED_BRAND } from './brand.ts'
import { checkAccent, checkPrimary, colorProblem } from './color-checks.ts'
import { contrast, luminance, TEXT_CONTRAST, toOklch } from './color.ts'
import { paletteOf, SHIPPED_COLORS, type ColorName } from './palette.ts'

const TOKENS = readFileSync(new URL('../../web/styles/tokens.css', import.meta.url), 'utf8')

/** Text and the grounds it stands on, in both themes. */
const TEXTS: [text: ColorName, grounds: ColorName[]][] = [
  ['ink', ['paper', 'ground', 'ground-2', 'plain']],
  ['ink-soft', ['paper', 'ground', 'ground-2', 'plain']],
  ['heading', ['paper', 'ground', 'ground-2']],
  ['link', ['paper', 'ground', 'ground-2']],
  ['link-hover', ['paper', 'ground', 'ground-2']],
  ['eyebrow', ['paper', 'ground', 'ground-2']],
  ['error', ['paper', 'ground', 'error-ground']],
  ['ok', ['paper', 'ground', 'ok-ground']],
  ['note', ['note-ground']],
  ['warn', ['paper', 'ground', 'warn-ground']],
  ['action-ink', ['action', 'action-hover']],
  ['panel-ink', ['panel']],
  ['panel-soft', ['panel']],
  ['marigold', ['panel', 'deep']],
  ['cloth', ['deep', 'night', 'teal', 'clay', 'madder']],
  ['night', ['marigold', 'sage', 'mist', 'blush', 'peach', 'cloth']],
  ['madder', ['sand']],
]
/** Borders of fields and the mark of focus (WCAG 2.2, 1.4.11). */
const SIGNS: [sign: ColorName, grounds: ColorName[]][] = [
  ['line-strong', ['paper', 'ground']],
  ['focus', ['paper', 'ground', 'ground-2']],
]
const HUES = Array.from({ length: 24 }, (_, index) => index * 15)

describe('the shipped palette', () => {
  test.each([
    ['light', ':root {', SHIPPED_COLORS.light],
    ['dark', ":root:not([data-theme='light']) {", SHIPPED_COLORS.dark],
    ['dark, chosen', ":root[data-theme='dark'] {", SHIPPED_COLORS.dark],
  ])('is that of tokens.css: %s', (_, selector, colors) => {
    const start = TOKENS.indexOf(selector)
    const block = TOKENS.slice(start, TOKENS.indexOf('}', start))
    const found = [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex])
    expect(Object.fromEntries(found)).toEqual(colors)
  })

  test('is what the shipped brand makes, unchanged', () => {
    expect(paletteOf(SHIPPED_BRAND)).toEqual({
      light: SHIPPED_COLORS.light,
      dark: { ...SHIPPED_COLORS.light, ...SHIPPED_COLORS.dark },
    })
  })
})

describe('every palette of two colors that pass', () => {
  const choices = [
    ['#0f4147', '#1d4ed8'],
    ['#000000', '#ffffff'],
    ['#5b21b6', '#000000'],
    ['#0063d6', '#757575'],
    ...HUES.map((hue, index) => {
      const [primary, accent] = [hslColor(hue, 35 + index), hslColor((hue + 150) % 360, 30 + index * 2)]
      return [checkPrimary(primary).nearest, checkAccent(accent).nearest]
    }),
  ] as [string, string][]

  test.each(choices)('%s and %s: is readable in both themes', (primary, accent) => {
    const palette = paletteOf({ primary, accent })
    expect([palette.light.deep, palette.light.action]).toEqual([primary, accent])
    const faults = Object.entries(palette).flatMap(([theme, colors]) =>
      [
        ...TEXTS.map((pair) => [...pair, TEXT_CONTRAST] as const),
        ...SIGNS.map((pair) => [...pair, 3] as const),
      ].flatMap(([text, grounds, least]) =>
        grounds
          .filter((ground) => contrast(colors[text], colors[ground]) < least)
          .map((ground) => `${theme}: ${text} ${colors[text]} on ${ground} ${colors[ground]}`),
      ),
    )
    expect(faults).toEqual([])
  })

  test('a color that only follows keeps its luminance', () => {
    const { light, dark } = paletteOf({ primary: '#7a1f5c', accent: '#1d9bd8' })
    const off = (['ground', 'ink', 'ink-soft', 'link', 'line', 'teal', 'clay'] as const).filter(
      (name) =>
        Math.abs(luminance(light[name]) - luminance(SHIPPED_COLORS.light[name])) > 0.01 ||
        Math.abs(luminance(dark[name]) - luminance(SHIPPED_COLORS.dark[name as 'ground'] ?? light[name])) > 0.01,
    )
    expect(off).toEqual([])
  })

  test('a color whose meaning is its color stays', () => {
    const { light } = paletteOf({ primary: '#7a1f5c', accent: '#1d9bd8' })
    expect([light.error, light['ok-ground'], light.tile]).toEqual(['#a02a17', '#e0eee2', '#fffdf8'])
  })
})

describe('a color that is too light or in between', () => {
  test.each([
    ['primary', '#f3b440'],
    ['primary', '#ffffff'],
    ['primary', '#1a73e8'],
    ['primary', '#00ff00'],
    ['accent', '#808080'],
    ['accent', '#0a8f6a'],
  ])('%s %s: is refused, and the nearest one passes with the same hue', (name, color) => {
    const check = name === 'primary' ? checkPrimary : checkAccent
    const { passes, ratio, nearest } = check(color)
    expect([passes, ratio < TEXT_CONTRAST, check(nearest).passes]).toEqual([false, true, true])
    expect(colorProblem(name, color)).toContain(nearest)
    const [wanted, offered] = [toOklch(color), toOklch(nearest)]
    if (wanted.chroma > 0.02) expect(Math.cos(((wanted.hue - offered.hue) * Math.PI) / 180)).toBeGreaterThan(0.99)
    // A little nearer to what was chosen, it would not pass.
    expect(check(nearest).ratio).toBeLessThan(4.7)
  })

  test('the shipped colors pass, and what is no color is not judged', () => {
    expect([colorProblem('primary', SHIPPED_BRAND.primary), colorProblem('accent', SHIPPED_BRAND.accent)]).toEqual([
      null,
      null,
    ])
    expect(colorProblem('primary', 'red')).toBeNull()
  })
})

/** Of middle saturation. */
function hslColor(hue: number, lightness: number): string {
  const part = (shift: number) => {
    const place = (shift + hue / 30) % 12
    const value =
      lightness / 100 -
      0.7 * Math.min(lightness / 100, 1 - lightness / 100) * Math.max(-1, Math.min(place - 3, 9 - place, 1))
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${part(0)}${part(8)}${part(4)}`
}

/** Colors as `#rrggbb`, their luminance and contrast (WCAG 2.2), and OKLCH, in which hue and chroma can be changed alone. */

/** Text and its ground (WCAG 2.2, 1.4.3, level AA). */
export const TEXT_CONTRAST = 4.5
const HEX = /^#[0-9a-f]{6}$/

/** Black and white have equal contrast with it. */
const MIDDLE = 0.18
const ROUNDING = 0.0005

type Triple = readonly [number, number, number]

/** Lightness from 0 to 1, chroma from 0, hue in degrees. */
export interface Oklch {
  lightness: number
  chroma: number
  hue: number
}

export function isColor(text: string): boolean {
  return HEX.test(text)
}

/** WCAG relative luminance: 0 for black, 1 for white. */
export function luminance(hex: string): number {
  return luminanceOf(linearOf(hex))
}

/** From 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

export function toOklch(hex: string): Oklch {
  const [red, green, blue] = linearOf(hex)
  const [l, m, s] = [
    Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue),
    Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue),
    Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue),
  ] as const
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, b),
    hue: (Math.atan2(b, a) * 180) / Math.PI,
  }
}

/**
 * The color of this hue with this luminance. Its chroma is reduced as far as a screen needs. Light colors are rounded to lighter ones and dark colors to
 * darker ones, so that rounding to 8 bits takes no contrast away.
 */
export function colorAt(wanted: number, { chroma, hue }: Pick<Oklch, 'chroma' | 'hue'>): string {
  const away = wanted > MIDDLE ? ROUNDING : -ROUNDING
  for (let aim = wanted; ; aim += away) {
    const lightness = lowestWhere((one) => luminanceOf(onScreen({ lightness: one, chroma, hue })) >= aim)
    const hex = toHex(onScreen({ lightness, chroma, hue }))
    const isFar = away > 0 ? luminance(hex) >= wanted : luminance(hex) <= wanted
    if (isFar || aim <= 0 || aim >= 1) return hex
  }
}

/** The color with as much of the chroma as a screen can show. */
function onScreen(color: Oklch): Triple {
  const isShown = (chroma: number) => toLinear({ ...color, chroma }).every((one) => one >= -1e-4 && one <= 1.0001)
  if (isShown(color.chroma)) return toLinear(color)
  const share = lowestWhere((one) => !isShown(one * color.chroma))
  return toLinear({ ...color, chroma: share * color.chroma })
}

/** The lowest number from 0 to 1 for which a condition holds that holds for all above it. */
function lowestWhere(holds: (value: number) => boolean): number {
  let [low, high] = [0, 1]
  for (let step = 0; step < 24; step++) {
    const middle = (low + high) / 2
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}

function toLinear({ lightness, chroma, hue }: Oklch): Triple {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

function luminanceOf([red, green, blue]: Triple): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linearOf(hex: string): Triple {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return [red, green, blue]
}

function toHex(linear: Triple): string {
  const parts = linear.map((value) => {
    const shown = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055
    return Math.round(Math.min(1, Math.max(0, shown)) * 255)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${parts.join('')}`
}

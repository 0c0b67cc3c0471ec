import { colorAt, contrast, isColor, luminance, TEXT_CONTRAST, toOklch } from './color.ts'
import { SHIPPED_COLORS } from './palette.ts'

export interface ColorCheck {
  /** Of the text that the color makes possible, rounded down to a tenth. */
  ratio: number
  passes: boolean
  /** The passing color that looks most like it: itself if it passes. */
  nearest: string
}

/** A derived ground or ink has the luminance of the shipped one, so these stand for all (`palette.ts`). */
const { 'ground-2': DARKEST_GROUND, night: DARK_INK, tile: LIGHT_INK } = SHIPPED_COLORS.light

/** Headings in the primary color are read on every light ground. */
export function checkPrimary(color: string): ColorCheck {
  return check(color, [DARKEST_GROUND])
}

/** Text on buttons is dark or light, whichever is read better. */
export function checkAccent(color: string): ColorCheck {
  return check(color, [DARK_INK, LIGHT_INK])
}

export const COLOR_CHECKS: Record<string, ((color: string) => ColorCheck) | undefined> = {
  primary: checkPrimary,
  accent: checkAccent,
}

/** Why a color is refused, and which would not be; null if it passes. */
export function colorProblem(name: string, color: string): string | null {
  const { ratio, passes, nearest } = (isColor(color) ? COLOR_CHECKS[name]?.(color) : null) ?? {}
  if (passes !== false || ratio === undefined) return null
  const against = name === 'primary' ? 'on the site’s light grounds' : 'between a button and its text'
  return `The contrast ${against} would be ${ratio.toFixed(1)} : 1, and text needs ${TEXT_CONTRAST} : 1. The nearest color that passes is ${nearest}`
}

function check(color: string, others: readonly string[]): ColorCheck {
  const best = (one: string) => Math.max(...others.map((other) => contrast(one, other)))
  const passes = best(color) >= TEXT_CONTRAST
  const ratio = Math.floor(best(color) * 10) / 10
  if (passes) return { ratio, passes, nearest: color }
  const { lightness, ...hue } = toOklch(color)
  const away = (one: string) => Math.abs(toOklch(one).lightness - lightness)
  const candidates = others.map((other) => passing(other, luminance(color), (wanted) => colorAt(wanted, hue)))
  const [nearest = color] = candidates.toSorted((one, another) => away(one) - away(another))
  return { ratio, passes, nearest }
}

/** The color nearest to a luminance that has enough contrast with another color: a lighter one beside ink, a darker one on a ground. */
function passing(other: string, start: number, at: (luminance: number) => string): string {
  const edge = luminance(other) + 0.05
  const isInk = edge * TEXT_CONTRAST < 1
  return at(isInk ? Math.max(edge * TEXT_CONTRAST - 0.05, start) : Math.min(edge / TEXT_CONTRAST - 0.05, start))
}

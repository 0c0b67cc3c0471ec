import { SHIPPED_BRAND, type Brand } from './brand.ts'
import { colorAt, contrast, luminance, TEXT_CONTRAST, toOklch } from './color.ts'

/** The colors of the site as it comes: those of `web/styles/tokens.css`, which a test compares. */
const SHIPPED = {
  night: '#0b2a30',
  deep: '#0f4147',
  teal: '#2c706d',
  sage: '#8cb7a6',
  mist: '#cfe0d2',
  cloth: '#fbf3e3',
  sand: '#f3e1c2',
  blush: '#f7d2b3',
  peach: '#f0a981',
  marigold: '#f3b440',
  saffron: '#e1831b',
  clay: '#b5472c',
  madder: '#7c2a22',
  tile: '#fffdf8',
  paper: '#fffdf8',
  ground: '#fbf3e3',
  'ground-2': '#f3e6cd',
  plain: '#f0efe9',
  ink: '#0b2a30',
  'ink-soft': '#48605f',
  heading: '#0f4147',
  link: '#0f5a58',
  'link-hover': '#9c3a21',
  line: '#e2d4b8',
  'line-strong': '#73857f',
  action: '#e1831b',
  'action-ink': '#0b2a30',
  'action-hover': '#f3b440',
  'action-edge': '#7c2a22',
  eyebrow: '#9c3a21',
  focus: '#0f4147',
  error: '#a02a17',
  'error-ground': '#fbe6db',
  ok: '#1d6148',
  'ok-ground': '#e0eee2',
  note: '#0f5a58',
  'note-ground': '#e3eeea',
  warn: '#7a4a00',
  'warn-ground': '#fdedc8',
  panel: '#0f4147',
  'panel-ink': '#fbf3e3',
  'panel-soft': '#cfe0d2',
}
export type ColorName = keyof typeof SHIPPED
export type Colors = Record<ColorName, string>

/** What is different in the dark theme. */
const SHIPPED_DARK = {
  paper: '#0b2127',
  ground: '#0f2a30',
  'ground-2': '#16363c',
  plain: '#0f2a30',
  ink: '#f4ead6',
  'ink-soft': '#b3c4bb',
  heading: '#fbf3e3',
  link: '#f3b440',
  'link-hover': '#f7d2b3',
  line: '#244449',
  'line-strong': '#7c9a94',
  'action-edge': '#5c3208',
  eyebrow: '#f0a981',
  focus: '#f3b440',
  error: '#ffb39c',
  'error-ground': '#43201a',
  ok: '#a5dcbc',
  'ok-ground': '#12392f',
  note: '#a9d6cd',
  'note-ground': '#12383c',
  warn: '#f7d38a',
  'warn-ground': '#3d2f10',
  panel: '#123c42',
} satisfies Partial<Colors>

export const SHIPPED_COLORS: { light: Colors; dark: Partial<Colors> } = { light: SHIPPED, dark: SHIPPED_DARK }

/** Their meaning is their color. */
const CONSTANT = /^(?:tile$|error|ok|warn)/
/** Text and signs on panels, which are in the primary color. */
const ON_PANEL: readonly ColorName[] = ['marigold', 'mist', 'panel-soft']
/** A vivid color does not make the grounds around it equally vivid. */
const MOST_CHROMA = 1.25
/** Of a button under the pointer, where the text on it is light. */
const DARKER = 0.72

export interface Palette {
  light: Colors
  /** Complete: with what both themes share. */
  dark: Colors
}

type Choice = Pick<Brand, 'primary' | 'accent'>

let latest: { of: string; palette: Palette } | null = null

/**
 * All colors of the site, from the two that officers choose. Each color belongs to the shipped one of nearer hue. It follows the chosen one in hue and chroma,
 * and keeps its own luminance: so every contrast of the shipped palette remains, in both themes.
 */
export function paletteOf({ primary, accent }: Choice = SHIPPED_BRAND): Palette {
  const of = `${primary} ${accent}`
  if (latest?.of === of) return latest.palette
  const follow = followers({ primary, accent })
  const light = readable(mapped(SHIPPED, follow))
  const palette = { light, dark: { ...light, ...mapped(SHIPPED_DARK, follow) } }
  latest = { of, palette }
  return palette
}

function mapped<Some extends Partial<Colors>>(colors: Some, follow: (hex: string) => string): Some {
  const entries = Object.entries(colors).map(([name, hex]) => [name, CONSTANT.test(name) ? hex : follow(hex)])
  return Object.fromEntries(entries) as Some
}

/** Returns the function that turns a shipped color into that of the brand. */
function followers(brand: Choice): (hex: string) => string {
  const leaders = (['primary', 'accent'] as const).map((name) => {
    const [shipped, chosen] = [toOklch(SHIPPED_BRAND[name]), toOklch(brand[name])]
    return {
      shipped: SHIPPED_BRAND[name],
      chosen: brand[name],
      hue: shipped.hue,
      turn: chosen.hue - shipped.hue,
      chroma: Math.min(MOST_CHROMA, chosen.chroma / shipped.chroma),
    }
  })
  return (hex) => {
    const { hue, chroma } = toOklch(hex)
    const [leader] = leaders.toSorted((one, other) => angle(one.hue, hue) - angle(other.hue, hue))
    if (!leader || leader.chosen === leader.shipped) return hex
    if (hex === leader.shipped) return leader.chosen
    return colorAt(luminance(hex), { hue: hue + leader.turn, chroma: chroma * leader.chroma })
  }
}

function angle(one: number, other: number): number {
  const turn = Math.abs(one - other) % 360
  return Math.min(turn, 360 - turn)
}

/** What stands on the chosen colors themselves, whose luminance is their own. */
function readable(colors: Colors): Colors {
  const onPanel = ON_PANEL.map((name) => [name, lightEnough(colors[name], colors.panel)])
  const adjusted = { ...colors, ...(Object.fromEntries(onPanel) as Partial<Colors>) }
  if (contrast(colors['action-ink'], colors.action) >= TEXT_CONTRAST) return adjusted
  const hover = colorAt(luminance(colors.action) * DARKER, toOklch(colors.action))
  return { ...adjusted, 'action-ink': colors.tile, 'action-hover': hover }
}

function lightEnough(hex: string, ground: string): string {
  if (contrast(hex, ground) >= TEXT_CONTRAST) return hex
  return colorAt((luminance(ground) + 0.05) * TEXT_CONTRAST - 0.05, toOklch(hex))
}

export type Color = [red: number, green: number, blue: number]

/** From 1 to 21 (WCAG 2, contrast ratio). */
export function contrast(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** A translucent color. */
export function mixed([red, green, blue, alpha]: [...Color, alpha: number], behind: Color): Color {
  const over = [red, green, blue] as const
  return behind.map((value, at) => (over[at] ?? 0) * alpha + value * (1 - alpha)) as Color
}

/** 0 for an unchanged pixel, 1 for one with the color of the ink; also 0 where ink and ground are the same. */
export function blendRatio(ink: Color, behind: Color, shown: Color): number {
  let along = 0
  let whole = 0
  for (const [at, ground] of behind.entries()) {
    const way = (ink[at] ?? 0) - ground
    along += ((shown[at] ?? 0) - ground) * way
    whole += way ** 2
  }
  return whole === 0 ? 0 : along / whole
}

export type Colour = [red: number, green: number, blue: number]

/** From 1 to 21 (WCAG 2, contrast ratio). */
export function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** A colour that lets some of what is behind it through. */
export function mixed([red, green, blue, alpha]: [...Colour, alpha: number], behind: Colour): Colour {
  const over = [red, green, blue] as const
  return behind.map((value, at) => (over[at] ?? 0) * alpha + value * (1 - alpha)) as Colour
}

/** 0 for what stayed as it was, 1 for what has taken the colour of the ink; 0 as well where ink and ground are the same. */
export function wayTo(ink: Colour, behind: Colour, shown: Colour): number {
  let along = 0
  let whole = 0
  for (const [at, ground] of behind.entries()) {
    const way = (ink[at] ?? 0) - ground
    along += ((shown[at] ?? 0) - ground) * way
    whole += way ** 2
  }
  return whole === 0 ? 0 : along / whole
}

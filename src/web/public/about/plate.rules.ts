const PLATES = 12

/**
 * Which printed plates stand over a row of names: chosen by the name, so that a person keeps theirs from year to year, and never the same twice in a
 * row.
 */
export function platesFor(names: readonly string[]): string[] {
  let before = -1
  return names.map((name) => {
    let plate = hash(name) % PLATES
    if (plate === before) plate = (plate + 1) % PLATES
    before = plate
    return `/art/plate-${String(plate + 1).padStart(2, '0')}.svg`
  })
}

/** The letters printed on a plate: of the first and the last name, without a title. */
export function initials(name: string): string {
  const words = name
    .replace(/^(Dr|Mr|Ms|Mrs|Prof)\.?\s+/i, '')
    .split(/\s+/)
    .filter(Boolean)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.[0] ?? '')
  return letters.join('').toUpperCase()
}

// FNV-1a, 32 bit: spreads short texts well and needs nothing.
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) {
    value ^= text.charCodeAt(i)
    value = Math.imul(value, 0x01000193)
  }
  return value >>> 0
}

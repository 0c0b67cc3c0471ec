const PLATES = 12

/**
 * The plate for each name. It depends on the name, so that people keep theirs from year to year; two neighbors never
 * share one.
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

/** The initials of the first and last name, without a title. */
export function initials(name: string): string {
  const words = name
    .replace(/^(Dr|Mr|Ms|Mrs|Prof)\.?\s+/i, '')
    .split(/\s+/)
    .filter(Boolean)
  const characters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.[0] ?? '')
  return characters.join('').toUpperCase()
}

// FNV-1a, 32 bit: distributes short strings well and needs no dependency.
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) {
    value ^= text.charCodeAt(i)
    value = Math.imul(value, 0x01000193)
  }
  return value >>> 0
}

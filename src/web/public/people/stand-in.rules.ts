const PORTRAITS = 12

/**
 * The drawing for each person without a picture: someone in a cap, from behind, who could be anyone. It depends on
 * the name; within a list no drawing comes back before all the others have been used.
 */
export function standInsFor(names: readonly string[]): string[] {
  const used = new Set<number>()
  return names.map((name) => {
    if (used.size === PORTRAITS) used.clear()
    let drawing = hash(name) % PORTRAITS
    while (used.has(drawing)) drawing = (drawing + 1) % PORTRAITS
    used.add(drawing)
    return `/art/portrait-physician-${String(drawing + 1).padStart(2, '0')}.svg`
  })
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

/** The maximum edit distance for a word. */
export function tolerance(word: string): number {
  if (word.length < 3) return 0
  if (word.length < 6) return 1
  return word.length < 10 ? 2 : 3
}

/** How far a sought word is from another one, or from its beginning; anything above `most` is returned as `most + 1`. */
export function wordDistance(word: string, one: string, most: number): number {
  const whole = editDistance(word, one, most)
  // Match a partly typed name by its prefix.
  const isBegun = one.length > word.length + 1 && word.length > 3
  return isBegun ? Math.min(whole, editDistance(word, one.slice(0, word.length), most)) : whole
}

/** Damerau-Levenshtein distance; anything above `most` is returned as `most + 1`. */
function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    let least = row
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      let distance = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        distance = Math.min(distance, (before[column - 2] ?? 0) + 1)
      }
      next.push(distance)
      least = Math.min(least, distance)
    }
    if (least > most) return most + 1
    before = last
    last = next
  }
  return Math.min(last[other.length] ?? 0, most + 1)
}

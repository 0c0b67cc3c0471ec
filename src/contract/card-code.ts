/** The code in what was scanned: the whole of it, or the part after the `#` of the card's address. null: it cannot be a card's. */
export function cardCodeIn(scanned: string): string | null {
  return /^(?:https?:\/\/[^#\s]+\/card#)?([\w-]{43})$/.exec(scanned)?.[1] ?? null
}

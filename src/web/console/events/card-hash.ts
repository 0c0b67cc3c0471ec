import { cardCodeIn } from '#contract/card-code.ts'

/** The SHA-256 of a membership card's code, in hex, as the check-in list has it; null for anything else that was scanned. */
export async function hashCardCode(scanned: string): Promise<string | null> {
  const code = cardCodeIn(scanned)
  if (code === null) return null
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** A new id: 48 bits of time, then 80 random bits, in 26 letters that sort by age. */
export function newId(now: number): string {
  let time = ''
  for (let rest = now, i = 0; i < 10; i++) {
    time = (ALPHABET[rest % 32] ?? '0') + time
    rest = Math.floor(rest / 32)
  }
  let tail = ''
  for (const byte of randomBytes(16)) tail += ALPHABET[byte & 31] ?? '0'
  return time + tail
}

import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Creates an id of 26 characters that sort by age: 48 bits of time, then 80 random bits. */
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

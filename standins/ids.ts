import { randomBytes } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Creates an id such as `cus_…`: the prefix, then `length` random alphanumeric characters. */
export function newId(prefix: string, length = 24): string {
  const bytes = randomBytes(length)
  let id = prefix
  for (const byte of bytes) id += ALPHABET[byte % ALPHABET.length]
  return id
}

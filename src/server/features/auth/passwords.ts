import { hash, verify } from '@node-rs/argon2'
import { normalisePassword } from './password.rules.ts'

// Argon2id as decision B6 says (OWASP's minimum); runs on the library's own threads, never on the event loop.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

// A hash of nothing anyone knows: checking against it takes as long as checking a real one.
const NOBODYS_HASH = '$argon2id$v=19$m=19456,t=2,p=1$G6sQ1EzxRvXdJXU5pMfrWQ$t/4yObpblAGGMH4c5Il38ZNUHsIIqTTXBcbIHEKM1kQ'

export function hashPassword(password: string): Promise<string> {
  return hash(normalisePassword(password), PARAMETERS)
}

/** @param storedHash null when there is no such account: takes the same time and answers false. */
export async function isPasswordRight(storedHash: string | null, password: string): Promise<boolean> {
  const fits = await verify(storedHash ?? NOBODYS_HASH, normalisePassword(password))
  return fits && storedHash !== null
}

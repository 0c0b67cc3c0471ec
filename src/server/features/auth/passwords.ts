import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createTurns } from '#server/platform/turns.ts'
import { normalisePassword } from './password.rules.ts'

// Argon2id as docs/product-rules.md#passwords says (OWASP's minimum); runs on the threads Node has for such work, never on the event loop.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

// Node has four such threads, for files and names too. More passwords at once than there are cores make none of them quicker: they only take the cores
// from whoever asks for a page. One core is left free for those where there are more than two.
const FEWEST_AT_ONCE = 2
const MOST_AT_ONCE = 3
const inTurn = createTurns(Math.min(Math.max(availableParallelism() - 1, FEWEST_AT_ONCE), MOST_AT_ONCE))

// A hash of nothing anyone knows: checking against it takes as long as checking a real one.
const NOBODYS_HASH = '$argon2id$v=19$m=19456,t=2,p=1$G6sQ1EzxRvXdJXU5pMfrWQ$t/4yObpblAGGMH4c5Il38ZNUHsIIqTTXBcbIHEKM1kQ'

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normalisePassword(password), PARAMETERS))
}

/** @param storedHash null when there is no such account: takes the same time and answers false. */
export async function isPasswordRight(storedHash: string | null, password: string): Promise<boolean> {
  const fits = await inTurn(() => verify(storedHash ?? NOBODYS_HASH, normalisePassword(password)))
  return fits && storedHash !== null
}

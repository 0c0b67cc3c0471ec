import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createConcurrencyLimit } from '#server/jobs/concurrency-limit.ts'
import { normalizePassword } from './password.rules.ts'

// Argon2id as in docs/product-rules.md#passwords (the OWASP minimum). Runs on the libuv thread pool.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

// The pool has four threads, shared with file system and DNS work. Hashing more passwords at once than there are
// cores speeds up none of them and slows page requests. With more than two cores, one stays free for requests.
const MIN_CONCURRENT = 2
const MAX_CONCURRENT = 3
const limitConcurrency = createConcurrencyLimit(
  Math.min(Math.max(availableParallelism() - 1, MIN_CONCURRENT), MAX_CONCURRENT),
)

// Hash of an unknown password: verifying against it takes as long as verifying a real one.
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$G6sQ1EzxRvXdJXU5pMfrWQ$t/4yObpblAGGMH4c5Il38ZNUHsIIqTTXBcbIHEKM1kQ'

export function hashPassword(password: string): Promise<string> {
  return limitConcurrency(() => hash(normalizePassword(password), PARAMETERS))
}

/** @param storedHash null if there is no such account: takes the same time and returns false. */
export async function verifyPassword(storedHash: string | null, password: string): Promise<boolean> {
  const isMatch = await limitConcurrency(() => verify(storedHash ?? DUMMY_HASH, normalizePassword(password)))
  return isMatch && storedHash !== null
}

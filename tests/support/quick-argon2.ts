import { createRequire } from 'node:module'
import type { Options, hash as hashFunction, verify as verifyFunction } from '@node-rs/argon2'

// By `require`, since an import of this name leads here (vitest.config.ts).
const library = createRequire(import.meta.url)('@node-rs/argon2') as {
  hash: typeof hashFunction
  verify: typeof verifyFunction
}

export const { verify } = library

/**
 * Argon2id with the least work it allows: tests of calls hash some thousand passwords. The parameters of production are proved by
 * `password.rules.test.ts`, the journeys and the promises, which hash as production does.
 */
export function hash(password: string, options: Options): Promise<string> {
  return library.hash(password, { ...options, memoryCost: 8, timeCost: 1 })
}

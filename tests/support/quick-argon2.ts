import { createRequire } from 'node:module'
import type { Options, hash as hashFunction, verify as verifyFunction } from '@node-rs/argon2'

// By `require`, since an import of this name resolves to this file (vitest.config.ts).
const library = createRequire(import.meta.url)('@node-rs/argon2') as {
  hash: typeof hashFunction
  verify: typeof verifyFunction
}

export const { verify } = library

/**
 * Argon2id with minimal cost: API tests hash some thousand passwords. `password.rules.test.ts`, the journeys and the trust rows test the production
 * parameters.
 */
export function hash(password: string, options: Options): Promise<string> {
  return library.hash(password, { ...options, memoryCost: 8, timeCost: 1 })
}

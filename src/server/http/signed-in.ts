import { Problem } from '#server/lib/problem.ts'
import type { Caller } from './serve.ts'

/** The caller of an endpoint for members. @throws Problem AUTHENTICATION_REQUIRED */
export function signedIn(caller: Caller | null): Caller {
  if (!caller) throw new Problem('AUTHENTICATION_REQUIRED')
  return caller
}

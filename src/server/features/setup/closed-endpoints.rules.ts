import type { Endpoint } from '#contract/endpoint.ts'

/** What officers need to get in while the site is closed. */
const FOR_OFFICERS = new Set(['login', 'forgotPassword', 'resetPassword', 'enterSetup', 'beginSetup'])

/**
 * Whether an endpoint waits until the site is open: what visitors could change. Published content may be read, and requests with a log-in or a
 * signature are let through.
 */
export function waitsForOpening({ name, method, access }: Pick<Endpoint, 'name' | 'method' | 'access'>): boolean {
  return method !== 'GET' && (access === 'anyone' || access === 'optional') && !FOR_OFFICERS.has(name)
}

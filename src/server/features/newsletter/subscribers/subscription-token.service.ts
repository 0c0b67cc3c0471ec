import { equalSecrets, type Secrets } from '#server/lib/secrets.ts'

/** A signed link, sent by email, that proves its holder receives the subscriber's email. Nothing is stored. */
export interface ConfirmationLink {
  subscriberId: string
  /** Epoch milliseconds. */
  issuedAt: number
}

const LIFETIME_MS = 30 * 86_400_000

export function createConfirmationToken(secrets: Secrets, { subscriberId, issuedAt }: ConfirmationLink): string {
  const payload = `${subscriberId}.${issuedAt.toString(36)}`
  return `${payload}.${secrets.sign('newsletter-link', payload)}`
}

/** null if the token is invalid or older than 30 days. */
export function readConfirmationToken(secrets: Secrets, token: string, now: number): ConfirmationLink | null {
  const [subscriberId = '', issued = '', mac = '', ...more] = token.split('.')
  if (more.length > 0 || !equalSecrets(mac, secrets.sign('newsletter-link', `${subscriberId}.${issued}`))) return null
  const issuedAt = Number.parseInt(issued, 36)
  return issuedAt + LIFETIME_MS >= now ? { subscriberId, issuedAt } : null
}

/** The token of the unsubscribe link in every newsletter. Never expires. */
export function createUnsubscribeToken(secrets: Secrets, subscriberId: string): string {
  return `${subscriberId}.${secrets.sign('newsletter-leave', subscriberId)}`
}

/** Returns the subscriber's id; null if the token is invalid. */
export function readUnsubscribeToken(secrets: Secrets, token: string): string | null {
  const [subscriberId = '', mac = '', ...more] = token.split('.')
  const isOurs = more.length === 0 && equalSecrets(mac, secrets.sign('newsletter-leave', subscriberId))
  return isOurs ? subscriberId : null
}

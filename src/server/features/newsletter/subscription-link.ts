import { equalSecrets, type Secrets } from '#server/platform/secrets.ts'

/** The proof, in a letter, that whoever holds it reads the mail of a subscriber. Nothing of it is stored. */
export interface SubscriptionLink {
  subscriberId: string
  /** Epoch milliseconds. */
  issuedAt: number
}

const LASTS_MS = 30 * 86_400_000

export function writeLinkToken(secrets: Secrets, { subscriberId, issuedAt }: SubscriptionLink): string {
  const facts = `${subscriberId}.${issuedAt.toString(36)}`
  return `${facts}.${secrets.sign('newsletter-link', facts)}`
}

/** null for a token that is not ours, or older than 30 days. */
export function readLinkToken(secrets: Secrets, token: string, now: number): SubscriptionLink | null {
  const [subscriberId = '', issued = '', mac = '', ...more] = token.split('.')
  if (more.length > 0 || !equalSecrets(mac, secrets.sign('newsletter-link', `${subscriberId}.${issued}`))) return null
  const issuedAt = Number.parseInt(issued, 36)
  return issuedAt + LASTS_MS >= now ? { subscriberId, issuedAt } : null
}

/** In every newsletter: leaves, however old the letter is. */
export function writeLeaveToken(secrets: Secrets, subscriberId: string): string {
  return `${subscriberId}.${secrets.sign('newsletter-leave', subscriberId)}`
}

/** The subscriber's id; null for a token that is not ours. */
export function readLeaveToken(secrets: Secrets, token: string): string | null {
  const [subscriberId = '', mac = '', ...more] = token.split('.')
  const isOurs = more.length === 0 && equalSecrets(mac, secrets.sign('newsletter-leave', subscriberId))
  return isOurs ? subscriberId : null
}

import { equalSecrets, type Secrets } from '#server/lib/secrets.ts'

const LIFETIME_MS = 15 * 60_000

/** Lets an unauthenticated frame show the preview of an unsent campaign. */
export function createPreviewToken(secrets: Secrets, campaignId: string, now: number): string {
  const payload = `${campaignId}.${(now + LIFETIME_MS).toString(36)}`
  return `${payload}.${secrets.sign('newsletter-preview', payload)}`
}

/** Returns the campaign's id; null if the token is invalid or expired. */
export function readPreviewToken(secrets: Secrets, token: string, now: number): string | null {
  const [mac = '', expires = '', ...id] = token.split('.').reverse()
  const campaignId = id.reverse().join('.')
  if (!equalSecrets(mac, secrets.sign('newsletter-preview', `${campaignId}.${expires}`))) return null
  return Number.parseInt(expires, 36) >= now ? campaignId : null
}

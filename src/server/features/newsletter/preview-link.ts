import { equalSecrets, type Secrets } from '#server/platform/secrets.ts'

const LASTS_MS = 15 * 60_000

/** Lets a frame that has no rights of its own show a letter that was not sent yet. */
export function writePreviewToken(secrets: Secrets, campaignId: string, now: number): string {
  const facts = `${campaignId}.${(now + LASTS_MS).toString(36)}`
  return `${facts}.${secrets.sign('newsletter-preview', facts)}`
}

/** The campaign's id; null for a token that is not ours or too old. */
export function readPreviewToken(secrets: Secrets, token: string, now: number): string | null {
  const [mac = '', ends = '', ...id] = token.split('.').reverse()
  const campaignId = id.reverse().join('.')
  if (!equalSecrets(mac, secrets.sign('newsletter-preview', `${campaignId}.${ends}`))) return null
  return Number.parseInt(ends, 36) >= now ? campaignId : null
}

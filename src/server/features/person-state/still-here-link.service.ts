import { secretLink } from '#server/emails/secret-link.ts'
import { equalSecrets, type Secrets } from '#server/lib/secrets.ts'

/** What a link that asks "Are you still here?" is about: a roll call, or a report of the person's death. */
interface StillHere {
  accountId: string
  /** Id of the roll call; null: a report. */
  callId: string | null
}

const REPORT = 'report'

function createStillHereToken(secrets: Secrets, { accountId, callId }: StillHere): string {
  const payload = `${accountId}.${callId ?? REPORT}`
  return `${payload}.${secrets.sign('still-here', payload)}`
}

/** The link of an email. It only answers for this account; it cannot log in. */
export function stillHereLink(siteUrl: string, secrets: Secrets, about: StillHere): string {
  return secretLink(siteUrl, '/still-here', { token: createStillHereToken(secrets, about) })
}

/** null: not a token of this site. */
export function readStillHereToken(secrets: Secrets, token: string): StillHere | null {
  const [accountId = '', about = '', mac = '', ...more] = token.split('.')
  const isOurs = more.length === 0 && equalSecrets(mac, secrets.sign('still-here', `${accountId}.${about}`))
  return isOurs ? { accountId, callId: about === REPORT ? null : about } : null
}

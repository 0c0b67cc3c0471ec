import { equalSecrets, type Secrets } from '#server/platform/secrets.ts'

/** In every letter about an RSVP: reads, changes and cancels it. Nothing of it is stored. */
export function writeRsvpToken(secrets: Secrets, rsvpId: string): string {
  return `${rsvpId}.${secrets.sign('rsvp-link', rsvpId)}`
}

/** The RSVP's id; null for a token that is not ours. */
export function readRsvpToken(secrets: Secrets, token: string): string | null {
  const [rsvpId = '', mac = '', ...more] = token.split('.')
  return more.length === 0 && equalSecrets(mac, secrets.sign('rsvp-link', rsvpId)) ? rsvpId : null
}

const CODE_LETTERS = 22

/** What the QR code says: names an RSVP at the door, and opens nothing else. 132 bits of it are secret. */
export function doorCode(secrets: Secrets, rsvpId: string): string {
  return `${rsvpId}.${secrets.sign('rsvp-code', rsvpId).slice(0, CODE_LETTERS)}`
}

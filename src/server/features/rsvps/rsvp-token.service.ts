import { equalSecrets, type Secrets } from '#server/lib/secrets.ts'

/** The token in emailed links that reads, changes and cancels an RSVP. It is derived, not stored. */
export function createRsvpToken(secrets: Secrets, rsvpId: string): string {
  return `${rsvpId}.${secrets.sign('rsvp-link', rsvpId)}`
}

/** The RSVP's id; null for an invalid token. */
export function readRsvpToken(secrets: Secrets, token: string): string | null {
  const [rsvpId = '', mac = '', ...more] = token.split('.')
  return more.length === 0 && equalSecrets(mac, secrets.sign('rsvp-link', rsvpId)) ? rsvpId : null
}

const MAC_LENGTH = 22

/** The content of the QR code. It identifies an RSVP at check-in and grants no other access; 132 of its bits are secret. */
export function checkInCode(secrets: Secrets, rsvpId: string): string {
  return `${rsvpId}.${secrets.sign('rsvp-code', rsvpId).slice(0, MAC_LENGTH)}`
}

import type { Config } from './config.ts'
import type { Environment } from './environment-reader.ts'

/** What would connect a demo to something real, or take away what protects it. Each is refused, whatever its value. */
const REFUSED = [
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_API_URL',
  'RECAPTCHA_SITE_KEY',
  'RECAPTCHA_SECRET_KEY',
  'RECAPTCHA_URL',
  'SMTP_URL',
  'MAIL_FROM',
  'DKIM_DOMAIN',
  'DATABASE_URL',
  'S3_ACCESS_KEY_ID',
  'GOOGLE_WALLET_ISSUER_ID',
  'APPLE_WALLET_CERTIFICATE',
  'NPI_REGISTRY_URL',
  'DNS_SERVER',
  'MAP_EMBED_URL',
  'BACKUP_DIR',
  'RELEASES_URL',
  'RATE_LIMITS',
  'PROFILE',
  'SETUP',
] as const

/**
 * Finds settings that a demo must not have; one message each, with the fix. Anyone acts as an officer there: it runs on stand-ins, on this machine, and on
 * a database of its own.
 */
export function checkDemo({ demo, production, standinsUrl }: Config, given: Environment): string[] {
  if (!demo) return []
  if (production)
    return ['DEMO is on with NODE_ENV=production: anyone could log in as an officer. Remove one of the two.']
  const faults = REFUSED.filter((name) => given[name]?.trim()).map(
    (name) =>
      `${name} is set: a demo runs on stand-ins, on its own database and with the limits of a real site. Remove ${name}, or DEMO.`,
  )
  if (standinsUrl !== null && !isOnThisMachine(standinsUrl))
    faults.push(
      `STANDINS_URL is ${standinsUrl}: a demo uses only stand-ins on this machine, such as http://localhost:3001.`,
    )
  return faults
}

function isOnThisMachine(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}

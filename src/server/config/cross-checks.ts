import { sep } from 'node:path'
import { isEmailShaped } from '#contract/fields.ts'
import { isIssuedBy, isKeyOf, readPassCertificate } from '#server/lib/pass-certificate.ts'
import type { Config } from './config.ts'
import { readReleaseKey } from './release-key.ts'

/** Minimum length of the session secret. */
export const MIN_SECRET_BYTES = 32
const MIN_TOKEN_BYTES = 16

/** Finds settings that are valid alone but contradict each other; one message each, with the fix. See docs/product-rules.md#test-and-live-keys. */
export function checkSettings(config: Config): string[] {
  return [...checkStripe(config), ...checkBackup(config), ...checkRest(config)]
}

/** The settings of providers that are missing; one message each, with the fix. */
export function findMissingProviders({ production, stripe, recaptcha, mail }: Config): string[] {
  const where = production ? 'NODE_ENV=production needs real providers' : 'the configured provider needs it'
  const required: [string, string, string][] = [
    ['STRIPE_SECRET_KEY', stripe.secretKey, "copy the secret key from Stripe's dashboard, Developers, API keys"],
    ['STRIPE_PUBLISHABLE_KEY', stripe.publishableKey, "copy the publishable key from Stripe's dashboard"],
    ['STRIPE_WEBHOOK_SECRET', stripe.webhookSecret, "copy the signing secret of the webhook in Stripe's dashboard"],
    ['RECAPTCHA_SITE_KEY', recaptcha.siteKey, 'copy the site key from the reCAPTCHA v3 admin page'],
    ['RECAPTCHA_SECRET_KEY', recaptcha.secretKey, 'copy the secret key from the reCAPTCHA v3 admin page'],
    ['SMTP_URL', mail.smtpUrl, 'such as smtps://user:password@smtp.example.org:465'],
    ['MAIL_FROM', mail.from, 'such as Association <office@example.org>'],
  ]
  return required.filter(([, value]) => value === '').map(([name, , cure]) => `${name} is missing (${where}): ${cure}.`)
}

function checkStripe({ stripe, siteUrl, production }: Config): string[] {
  const faults: string[] = []
  const { protocol, hostname } = new URL(siteUrl)
  const isRealOrigin = protocol === 'https:' && !/^(localhost|127\.|\[::1\])/.test(hostname)
  if (stripe.live && !isRealOrigin) {
    faults.push(
      `STRIPE_SECRET_KEY is a live key but SITE_URL is ${siteUrl}: use a test key, or the site's https address.`,
    )
  }
  if (stripe.secretKey && !/^[sr]k_(test|live)_/.test(stripe.secretKey)) {
    faults.push('STRIPE_SECRET_KEY does not begin with sk_test_, sk_live_, rk_test_ or rk_live_: copy it again.')
  }
  if (stripe.publishableKey && stripe.secretKey && /^pk_live_/.test(stripe.publishableKey) !== stripe.live) {
    faults.push(
      'STRIPE_PUBLISHABLE_KEY and STRIPE_SECRET_KEY have different modes: use two test keys or two live keys.',
    )
  }
  if (stripe.live && stripe.apiUrl) {
    faults.push('STRIPE_API_URL is set with a live key: remove it, live keys are only sent to Stripe.')
  }
  if (production && stripe.apiUrl && stripe.secretKey === 'sk_test_standin') {
    faults.push('STRIPE_SECRET_KEY is the key of the stand-in: stand-ins cannot be used with NODE_ENV=production.')
  }
  return faults
}

/** A backup inside the copied folder grows with each copy, and is lost together with the original. */
function checkBackup({ backup, dataDirectory }: Config): string[] {
  if (!backup || !`${backup.directory}${sep}`.startsWith(`${dataDirectory}${sep}`)) return []
  return ['BACKUP_DIR is inside DATA_DIR: use a folder outside it, ideally on another disk.']
}

function checkRest({
  production,
  rateLimitFactor,
  sessionSecret,
  databaseUrl,
  mail,
  siteUrl,
  officersEmail,
  metricsToken,
  dnsServer,
  releases,
  googleWallet,
  appleWallet,
}: Config): string[] {
  const faults: string[] = []
  if (officersEmail === '') {
    faults.push(
      'OFFICERS_EMAIL is missing: alerts and messages from visitors are sent there, such as office@example.org.',
    )
  }
  if (production && rateLimitFactor !== 1) {
    faults.push('RATE_LIMITS is set: remove it, limits cannot be changed with NODE_ENV=production.')
  }
  if (sessionSecret !== null && Buffer.byteLength(sessionSecret) < MIN_SECRET_BYTES) {
    faults.push(
      `SESSION_SECRET is shorter than ${MIN_SECRET_BYTES} bytes: generate one with "openssl rand -base64 48".`,
    )
  }
  if (metricsToken !== null && !/^[\x21-\x7e]+$/.test(metricsToken)) {
    faults.push(
      'METRICS_TOKEN contains a space or a character that headers do not allow: generate one with "openssl rand -hex 24".',
    )
  }
  if (metricsToken !== null && Buffer.byteLength(metricsToken) < MIN_TOKEN_BYTES) {
    faults.push(`METRICS_TOKEN is shorter than ${MIN_TOKEN_BYTES} bytes: generate one with "openssl rand -hex 24".`)
  }
  if (releases !== null && readReleaseKey(releases.key) === null) {
    faults.push(
      'RELEASES_KEY is not an Ed25519 public key in base64: copy it again from the publisher of the releases.',
    )
  }
  if (googleWallet !== null && !/^-----BEGIN PRIVATE KEY-----\n/.test(googleWallet.privateKey)) {
    faults.push(
      'GOOGLE_WALLET_PRIVATE_KEY is not a private key in PEM: copy "private_key" from the JSON file of the service account, in single quotes.',
    )
  }
  if (appleWallet !== null) faults.push(...checkAppleWallet(appleWallet))
  if (dnsServer !== null && !/^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-fA-F:]+\])(:\d{1,5})?$/.test(dnsServer)) {
    faults.push('DNS_SERVER is not an address such as 9.9.9.9 or 127.0.0.1:5353: correct it or remove it.')
  }
  if (!/^(sqlite:.+|postgres(ql)?:\/\/.+)$/.test(databaseUrl)) {
    faults.push('DATABASE_URL is neither sqlite:PATH nor postgres://…: correct it or remove it.')
  }
  if (mail.smtpUrl && !/^smtps?:\/\/./.test(mail.smtpUrl)) {
    faults.push('SMTP_URL does not begin with smtp:// or smtps://: correct it.')
  }
  if (mail.from && !isEmailShaped(/<([^<>]+)>$/.exec(mail.from)?.[1] ?? mail.from)) {
    faults.push('MAIL_FROM contains no address: use a value such as Association <office@example.org>.')
  }
  if (production && new URL(siteUrl).protocol !== 'https:' && !/^(localhost|127\.)/.test(new URL(siteUrl).hostname)) {
    faults.push(
      `SITE_URL is ${siteUrl}: passwords require https. Put a reverse proxy with a certificate in front of the site.`,
    )
  }
  return faults
}

function checkAppleWallet({
  certificate,
  privateKey,
  issuerCertificate,
}: NonNullable<Config['appleWallet']>): string[] {
  if (readPassCertificate(certificate) === null)
    return [
      'APPLE_WALLET_CERTIFICATE is not the certificate of a pass type identifier in PEM: convert the file from Apple with "openssl x509 -inform der".',
    ]
  const faults: string[] = []
  if (!isKeyOf(certificate, privateKey))
    faults.push(
      'APPLE_WALLET_PRIVATE_KEY is not the key of APPLE_WALLET_CERTIFICATE, in PEM and without a password: use the key that the request was made with.',
    )
  if (!isIssuedBy(certificate, issuerCertificate))
    faults.push(
      'APPLE_WALLET_ISSUER_CERTIFICATE did not issue APPLE_WALLET_CERTIFICATE: take the "Worldwide Developer Relations" certificate that it names, from apple.com/certificateauthority, in PEM.',
    )
  return faults
}

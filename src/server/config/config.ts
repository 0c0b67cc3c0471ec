import { isAbsolute, resolve } from 'node:path'
import { PROFILES, SAMPLE_PROFILE, type Profile } from './profiles.ts'
import { checkSettings, findMissingProviders } from './cross-checks.ts'
import { checkDemo } from './demo-checks.ts'
import { EnvironmentReader, type Environment } from './environment-reader.ts'

export interface Config {
  /** The outer NODE_ENV; it alone controls stand-ins and samples. */
  production: boolean
  port: number
  host: string
  /** Origin without a trailing slash; the only source of links. */
  siteUrl: string
  dataDirectory: string
  /** Distinguishes this instance from others on the same database; null: derived from the data directory and port. */
  instanceName: string | null
  databaseUrl: string
  buildDirectory: string | null
  /** IANA name; null: as the officers' settings say. */
  timeZone: string | null
  officersEmail: string
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  trustProxy: false | number | string[]
  /** Protects /metrics; null: /metrics is limited to this machine. */
  metricsToken: string | null
  /** Used to check the DNS records of the sending domain; null: the system's DNS server. */
  dnsServer: string | null
  /** null: stored in the data directory, generated at the first start. */
  sessionSecret: string | null
  /** How long the site still serves after SIGTERM, so that proxies notice the failing `/readyz`. */
  stopGraceMs: number
  /** Multiplies every limit; null disables limits. Must be 1 in production. */
  rateLimitFactor: number | null
  /** The starter content an empty database is filled with. */
  profile: Profile
  /** A public demo on stand-ins, where anyone logs in as a sample person (decision record 68). Only `npm run demo` sets it. */
  demo: boolean
  /** Whether a site with an empty database stays closed until officers have set it up in the browser. */
  startsClosed: boolean
  /** The settings of providers that come from the environment: they cannot be changed in the browser. */
  fromEnvironment: readonly ProviderSetting[]
  /** Settings of providers without which the site cannot open: one line each, with the fix. */
  missingProviders: readonly string[]
  /** How many fictional people an empty database is filled with outside production: those who log in, or as many as a site in use has. */
  samples: 'few' | 'many'
  /** Address of the stand-ins in use; null when every provider is real. */
  standinsUrl: string | null
  /** Empty: as the officers' settings say. */
  mapEmbedUrl: string
  stripe: { secretKey: string; publishableKey: string; webhookSecret: string; apiUrl: string | null; live: boolean }
  recaptcha: { siteKey: string; secretKey: string; scriptUrl: string; verifyUrl: string }
  mail: {
    smtpUrl: string
    from: string
    bounceAddress: string | null
    dkim: { domain: string; selector: string; privateKey: string } | null
  }
  storage: {
    endpoint: string | null
    region: string
    accessKeyId: string
    secretAccessKey: string
    buckets: { home: string; clinic: string; exec: string }
  } | null
  /** Where the console looks up an NPI, without a slash at the end; null: nowhere. */
  npiRegistryUrl: string | null
  /** The service account that signs Google Wallet passes; null: cards are not offered for it. */
  googleWallet: { issuerId: string; email: string; privateKey: string } | null
  /** In PEM, what signs passes for Apple Wallet; null: cards are not offered for it. */
  appleWallet: { certificate: string; privateKey: string; issuerCertificate: string } | null
  /** Scheduled backups; null: none. */
  backup: {
    directory: string
    everyMs: number
    /** Number of daily backups to keep. */
    keep: number
  } | null
  /** Where to look for newer releases, and the publisher's public key; null: nowhere. */
  releases: { url: string; key: string } | null
  /** Problems that do not prevent the start: logged and printed at start. */
  warnings: string[]
  /** The same with the providers that the set-up page stored; the environment takes precedence. @throws ConfigError */
  withProviders(stored: ProviderValues): Config
}

/** The configuration of a site whose time zone is known. */
export interface SiteConfig extends Config {
  timeZone: string
}

/** What connects the site to its providers: in the environment, or stored by the set-up page. */
export const PROVIDER_SETTINGS = [
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'RECAPTCHA_SITE_KEY',
  'RECAPTCHA_SECRET_KEY',
  'SMTP_URL',
  'MAIL_FROM',
] as const
export type ProviderSetting = (typeof PROVIDER_SETTINGS)[number]
export type ProviderValues = Partial<Record<ProviderSetting, string>>

/** Invalid settings: one line per fault, naming the variable and the fix. */
export class ConfigError extends Error {
  readonly lines: string[]
  constructor(lines: string[]) {
    super(`Invalid settings:\n${lines.map((line) => `  - ${line}`).join('\n')}`)
    this.name = 'ConfigError'
    this.lines = lines
  }
}

const HOUR_MS = 3_600_000
const PROXY_POLL_SECONDS = 5
/** Nothing listens there. */
const NO_DNS_SERVER = '127.0.0.1:9'
const GOOGLE_RECAPTCHA = 'https://www.google.com/recaptcha'

/**
 * Reads every setting once. A provider that is missing is no error here, since it may be set up in the browser: see `missingProviders`.
 * @param stored what the set-up page stored; the environment takes precedence
 * @throws ConfigError naming each invalid variable and the fix
 */
export function readConfig(given: Environment, stored: ProviderValues = {}): Config {
  const demo = given['DEMO']?.trim() === 'on'
  // In a demo no provider can be connected, not even a stored one.
  const fromEnvironment = PROVIDER_SETTINGS.filter((name) => demo || given[name]?.trim())
  const added = Object.entries(stored).filter(([name]) => !fromEnvironment.some((known) => known === name))
  const environment = added.length === 0 ? given : { ...given, ...Object.fromEntries(added) }
  const read = new EnvironmentReader(environment)
  const production = environment['NODE_ENV'] === 'production'
  const port = read.integer('PORT', 3000, { min: 1, max: 65_535 })
  const standinsPort = read.integer('STANDINS_PORT', port + 1, { min: 1, max: 65_535 })
  const smtpStandinPort = read.integer('SMTP_STANDIN_PORT', port + 2, { min: 1, max: 65_535 })
  const standins = production ? null : read.origin('STANDINS_URL', `http://localhost:${standinsPort}`)
  const dataDirectory = resolve(read.text('DATA_DIR', 'data'))
  if (production) read.require('SITE_URL', 'links on pages and in emails start with it, such as https://example.org')
  const siteUrl = read.origin('SITE_URL', `http://localhost:${port}`)
  const secretKey = read.text('STRIPE_SECRET_KEY', standins ? 'sk_test_standin' : '')
  const stripeIsStandin = standins !== null && read.text('STRIPE_SECRET_KEY', '') === ''
  const botIsStandin = standins !== null && read.text('RECAPTCHA_SECRET_KEY', '') === ''
  const mailIsStandin = standins !== null && read.text('SMTP_URL', '') === ''
  const standinsInUse = stripeIsStandin || botIsStandin || mailIsStandin ? standins : null
  const recaptchaUrl = read.url('RECAPTCHA_URL', botIsStandin ? `${standins}/recaptcha` : GOOGLE_RECAPTCHA)
  // Browsers reach the stand-ins of a demo through its own address only.
  const publicStandins = demo ? siteUrl : standins
  const databaseUrl = read.text('DATABASE_URL', `sqlite:${dataDirectory}/association.db`)
  const domain = new URL(siteUrl).hostname

  const config: Config = {
    production,
    port,
    host: read.text('HOST', '127.0.0.1'),
    siteUrl,
    dataDirectory,
    databaseUrl: absoluteSqlite(databaseUrl),
    instanceName: read.text('INSTANCE_NAME', '') || null,
    buildDirectory: read.text('BUILD_DIR', '') || null,
    timeZone: read.timeZone('ASSOCIATION_TIMEZONE'),
    officersEmail: read.email('OFFICERS_EMAIL', production ? '' : 'office@example.org'),
    logLevel: read.oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    trustProxy: read.trustProxy('TRUST_PROXY'),
    metricsToken: read.text('METRICS_TOKEN', '') || null,
    dnsServer: read.text('DNS_SERVER', demo ? NO_DNS_SERVER : '') || null,
    sessionSecret: read.text('SESSION_SECRET', '') || null,
    stopGraceMs: read.integer('STOP_GRACE_SECONDS', production ? PROXY_POLL_SECONDS : 0, { min: 0, max: 60 }) * 1_000,
    rateLimitFactor: read.factor('RATE_LIMITS'),
    profile: read.oneOf('PROFILE', PROFILES, production ? 'neutral' : SAMPLE_PROFILE),
    demo: read.oneOf('DEMO', ['on', 'off'], 'off') === 'on',
    startsClosed: read.oneOf('SETUP', ['on', 'off'], production ? 'on' : 'off') === 'on',
    fromEnvironment,
    missingProviders: [],
    samples: read.oneOf('SAMPLES', ['few', 'many'], 'many'),
    standinsUrl: standinsInUse,
    mapEmbedUrl: read.url('MAP_EMBED_URL', publicStandins ? `${publicStandins}/map` : ''),
    stripe: {
      secretKey,
      publishableKey: read.text('STRIPE_PUBLISHABLE_KEY', stripeIsStandin ? 'pk_test_standin' : ''),
      webhookSecret: read.text('STRIPE_WEBHOOK_SECRET', stripeIsStandin ? 'whsec_standin' : ''),
      apiUrl: read.url('STRIPE_API_URL', stripeIsStandin ? (standins ?? '') : '') || null,
      live: /^[sr]k_live_/.test(secretKey),
    },
    recaptcha: {
      siteKey: read.text('RECAPTCHA_SITE_KEY', botIsStandin ? 'standin-site-key' : ''),
      secretKey: read.text('RECAPTCHA_SECRET_KEY', botIsStandin ? 'standin-secret' : ''),
      scriptUrl: `${demo ? `${siteUrl}/recaptcha` : recaptchaUrl}/api.js`,
      verifyUrl: `${recaptchaUrl}/api/siteverify`,
    },
    mail: {
      smtpUrl: read.text('SMTP_URL', mailIsStandin ? `smtp://localhost:${smtpStandinPort}` : ''),
      from: read.text('MAIL_FROM', mailIsStandin ? 'The Association <office@example.org>' : ''),
      bounceAddress: read.email('BOUNCE_ADDRESS', '') || null,
      dkim: read.group(['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'])
        ? {
            domain: read.text('DKIM_DOMAIN', domain),
            selector: read.text('DKIM_SELECTOR', ''),
            privateKey: read.text('DKIM_PRIVATE_KEY', '').replaceAll('\\n', '\n'),
          }
        : null,
    },
    storage: read.group(
      ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_BUCKET_HOME', 'S3_BUCKET_CLINIC', 'S3_BUCKET_EXEC'],
      ['S3_ENDPOINT', 'S3_REGION'],
    )
      ? {
          endpoint: read.url('S3_ENDPOINT', '') || null,
          region: read.text('S3_REGION', 'us-east-1'),
          accessKeyId: read.text('S3_ACCESS_KEY_ID', ''),
          secretAccessKey: read.text('S3_SECRET_ACCESS_KEY', ''),
          buckets: {
            home: read.text('S3_BUCKET_HOME', ''),
            clinic: read.text('S3_BUCKET_CLINIC', ''),
            exec: read.text('S3_BUCKET_EXEC', ''),
          },
        }
      : null,
    npiRegistryUrl: read.url('NPI_REGISTRY_URL', standinsInUse ? `${standinsInUse}/npi` : '') || null,
    googleWallet: read.group(['GOOGLE_WALLET_ISSUER_ID', 'GOOGLE_WALLET_EMAIL', 'GOOGLE_WALLET_PRIVATE_KEY'])
      ? {
          issuerId: read.text('GOOGLE_WALLET_ISSUER_ID', ''),
          email: read.email('GOOGLE_WALLET_EMAIL', ''),
          privateKey: read.text('GOOGLE_WALLET_PRIVATE_KEY', '').replaceAll('\\n', '\n'),
        }
      : null,
    appleWallet: read.group(['APPLE_WALLET_CERTIFICATE', 'APPLE_WALLET_PRIVATE_KEY', 'APPLE_WALLET_ISSUER_CERTIFICATE'])
      ? {
          certificate: read.text('APPLE_WALLET_CERTIFICATE', '').replaceAll('\\n', '\n'),
          privateKey: read.text('APPLE_WALLET_PRIVATE_KEY', '').replaceAll('\\n', '\n'),
          issuerCertificate: read.text('APPLE_WALLET_ISSUER_CERTIFICATE', '').replaceAll('\\n', '\n'),
        }
      : null,
    backup: read.group(['BACKUP_DIR'], ['BACKUP_EVERY_HOURS', 'BACKUP_KEEP'])
      ? {
          directory: resolve(read.text('BACKUP_DIR', '')),
          everyMs: read.integer('BACKUP_EVERY_HOURS', 24, { min: 1, max: 24 * 31 }) * HOUR_MS,
          keep: read.integer('BACKUP_KEEP', 14, { min: 1, max: 1_000 }),
        }
      : null,
    releases: read.group(['RELEASES_URL', 'RELEASES_KEY'])
      ? { url: read.url('RELEASES_URL', ''), key: read.text('RELEASES_KEY', '') }
      : null,
    warnings: [],
    withProviders: (values) => readConfig(given, values),
  }

  const faults = [...read.faults, ...checkSettings(config), ...checkDemo(config, given)]
  if (faults.length > 0) throw new ConfigError(faults)
  config.missingProviders = findMissingProviders(config)
  if (production && config.stripe.secretKey && !config.stripe.live) {
    config.warnings.push(
      'STRIPE_SECRET_KEY is a test key: no real payments are taken. Use the live key when you go live.',
    )
  }
  return config
}

function absoluteSqlite(databaseUrl: string): string {
  const path = /^sqlite:(.+)$/.exec(databaseUrl)?.[1]
  return path && path !== ':memory:' && !isAbsolute(path) ? `sqlite:${resolve(path)}` : databaseUrl
}

import { join } from 'node:path'
import { startStandins } from './standins.ts'

const { env } = process
const port = portFrom('STANDINS_PORT', 3001)
const smtpPort = portFrom('SMTP_STANDIN_PORT', 3002)
const dataDirectory = env['DATA_DIR'] || 'data'
const siteUrl = env['SITE_URL'] || 'http://localhost:3000'
/** Several instances of the site, separated by commas. */
const webhookUrls = env['STANDINS_WEBHOOK_URLS']?.split(',').map((url) => url.trim())

try {
  const standins = await startStandins({
    directory: join(dataDirectory, 'standins'),
    port,
    smtpPort,
    siteUrl,
    ...(webhookUrls ? { webhookUrls } : {}),
    ...(env['STANDINS_PUBLIC_URL'] ? { publicUrl: env['STANDINS_PUBLIC_URL'] } : {}),
    ...(env['STRIPE_WEBHOOK_SECRET'] ? { webhookSecret: env['STRIPE_WEBHOOK_SECRET'] } : {}),
    clockFile: join(dataDirectory, 'clock.json'),
    parseMailsAtOnce: false,
  })
  process.stdout.write(`Stand-ins ready on http://localhost:${standins.port}, mail on port ${standins.smtpPort}\n`)
  const stop = (): void => {
    standins.close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  if (process.connected) {
    // When started by `npm start`, the terminal's signal reaches all processes at once, but the site must stop first. The closed IPC channel signals when.
    const wait = (): void => {}
    process.on('SIGINT', wait)
    process.on('SIGTERM', wait)
    process.once('disconnect', stop)
  } else {
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
  }
} catch (error) {
  const { code, port: taken } = error as { code?: string; port?: number }
  if (code !== 'EADDRINUSE') throw error
  const variable = taken === smtpPort ? 'SMTP_STANDIN_PORT' : 'STANDINS_PORT'
  process.stderr.write(`Port ${taken} is taken. Stop what uses it, or set ${variable} to another port.\n`)
  process.exit(1)
}

function portFrom(variable: string, usual: number): number {
  const written = env[variable]
  if (!written) return usual
  const number = Number(written)
  if (Number.isInteger(number) && number >= 0 && number < 65_536) return number
  process.stderr.write(`${variable} is '${written}': set it to a port number.\n`)
  process.exit(1)
}

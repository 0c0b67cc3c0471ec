import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError, readConfig } from '#server/config/config.ts'
import { nextReset } from '#server/features/demo/demo.rules.ts'
import { createGateway } from './demo/gateway.ts'
import { createRounds, renewEachHour, type Round } from './demo/rounds.ts'
import { startLocalSite, StartProblem } from './site/local-site.ts'

// `npm run demo`: a sample site for the open internet, which starts afresh each hour (docs/running.md, "A public demo").

const ROOT = resolve(import.meta.dirname, '..')
/** Ports of the site and its stand-ins after PORT: two copies run while one replaces the other. */
const PORT_OFFSETS = [10, 20]
const RECEIVED_BYTES = 100_000_000
const STORED_BYTES = 500_000_000
/** Each copy makes its own, and secrets of a real site do not belong here. */
const LEFT_OUT = [
  'SESSION_SECRET',
  'INSTANCE_NAME',
  'METRICS_TOKEN',
  'STRIPE_WEBHOOK_SECRET',
  'STANDINS_URL',
  'STANDINS_PORT',
  'SMTP_STANDIN_PORT',
]

process.chdir(ROOT)
if (existsSync('.env')) process.loadEnvFile('.env') // the environment takes precedence

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())

try {
  await runDemo()
} catch (error) {
  if (!(error instanceof StartProblem || error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
process.exit()

async function runDemo(): Promise<void> {
  const given: NodeJS.ProcessEnv = { ...process.env, DATA_DIR: process.env['DATA_DIR'] ?? 'data-demo', DEMO: 'on' }
  for (const name of LEFT_OUT) delete given[name]
  const { port, host, siteUrl, dataDirectory, trustProxy } = readConfig(given)
  if (Array.isArray(trustProxy))
    throw new StartProblem(
      'TRUST_PROXY has addresses: for a demo, write how many proxies are in front of it, such as 1.',
    )
  const proxies = trustProxy || 0
  const gateway = createGateway({ siteUrl, proxies, bytes: RECEIVED_BYTES })
  const say = (sentence: string): void => console.log(sentence)

  async function start(folder: string, turn: number): Promise<Round> {
    const sitePort = port + (PORT_OFFSETS[turn] ?? 0)
    const { state, config, ended, stop } = await startLocalSite({
      environment: {
        ...given,
        SAMPLES: 'many',
        DATA_DIR: folder,
        HOST: '127.0.0.1',
        PORT: String(sitePort),
        SITE_URL: siteUrl,
        TRUST_PROXY: String(proxies + 1),
        STANDINS_PUBLIC_URL: siteUrl,
        STANDINS_WEBHOOK_URLS: `http://127.0.0.1:${sitePort}/api/stripe/webhook`,
        STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('hex')}`,
      },
      say,
      signal: stopping.signal,
    })
    if (state.is !== 'ready') {
      await stop()
      throw new StartProblem(state.is === 'unready' ? state.reasons : 'the site ended while it started.')
    }
    return { backend: { site: sitePort, standins: Number(new URL(config.standinsUrl ?? '').port) }, ended, stop }
  }

  const rounds = createRounds({ directory: dataDirectory, gateway, start, say })
  await gateway.listen(port, host).catch((error: Error) => {
    throw new StartProblem(`Port ${port} (PORT) cannot be used: ${error.message}`)
  })
  if (!(await rounds.renew())) throw new StartProblem('The demo did not start.')
  say(
    `\n  Demo       ${siteUrl}\n  People     ${siteUrl}/demo\n  Data       ${dataDirectory}, afresh at every full hour\n\n  Ctrl-C stops it.\n`,
  )
  await renewEachHour(rounds, { nextAt: nextReset, mostBytes: STORED_BYTES, signal: stopping.signal })
  await rounds.stop()
  await gateway.close()
}

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import { SAMPLE_PROFILE } from '#server/config/profiles.ts'
import { ConfigError, type Config } from '#server/config/config.ts'
import { startLocalSite, StartProblem, type LocalSite } from './site/local-site.ts'

const ROOT = resolve(import.meta.dirname, '..')
/** npm forwards a signal that the terminal has also sent to us: a second one this soon is a duplicate. */
const SAME_WISH_MS = 1_000
const PARENT_CHECK_MS = 500

process.chdir(ROOT)
if (existsSync('.env')) process.loadEnvFile('.env') // the environment takes precedence

let site: LocalSite | null = null
let askedToStopAt: number | null = null
/** The exit status of an aborted start; a site that stops normally has its own. */
let interrupted = 0
const start = new AbortController()
for (const [signal, number] of [
  ['SIGINT', 2],
  ['SIGTERM', 15],
  ['SIGHUP', 1],
] as const) {
  process.on(signal, () => stop(128 + number))
}

// A signal to npm alone ends npm and its shell without being passed on; then nothing could stop us.
const parent = process.ppid
if (process.env['npm_lifecycle_event']) {
  setInterval(() => {
    if (process.ppid !== parent && !start.signal.aborted) stop(128 + 15)
  }, PARENT_CHECK_MS).unref()
}

try {
  const say = (sentence: string): void => console.log(sentence)
  site = await startLocalSite({ environment: process.env, say, signal: start.signal })
  if (site.state.is !== 'ended' && !start.signal.aborted) printTable(site)
  process.exitCode = await site.ended
} catch (error) {
  if (start.signal.aborted) {
    process.exitCode = interrupted
  } else {
    if (!(error instanceof StartProblem || error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
process.exit()

function stop(status: number): void {
  const now = Date.now()
  if (askedToStopAt === null) {
    askedToStopAt = now
    interrupted = status
    start.abort()
  } else if (now - askedToStopAt > SAME_WISH_MS) {
    site?.kill()
    process.exit(status)
  }
}

function printTable({ config, state }: LocalSite): void {
  const rows = [['Site', config.siteUrl], ...localRows(config), ['Data', whereDataLies(config)]]
  if (!config.production) rows.push(['Logs', join(config.dataDirectory, 'logs')])
  if (state.is === 'unready') rows.push(['Not ready', state.reasons])
  const lines = rows.map(([label = '', text = '']) => `  ${label.padEnd(10)} ${text}`)
  console.log(`\n${lines.join('\n')}\n\n  Ctrl-C stops it.\n`)
}

/** Shown only with stand-ins. */
function localRows({ production, profile, standinsUrl, stripe, mail }: Config): string[][] {
  if (production || profile !== SAMPLE_PROFILE) return []
  const { password, accounts } = parse(
    readFileSync(join(ROOT, 'content/profiles/physicians-georgia/samples/accounts.yaml'), 'utf8'),
  ) as {
    password: string
    accounts: { email: string }[]
  }
  const rows = accounts.map(({ email }, row) => [row === 0 ? 'Log in as' : '', email])
  rows.push(['', `with the password ${password}`])
  if (standinsUrl !== null && mail.smtpUrl.startsWith('smtp://localhost:'))
    rows.push(['Mailbox', `${standinsUrl}/mail`])
  if (standinsUrl !== null && stripe.apiUrl === standinsUrl) rows.push(['Test card', '4242 4242 4242 4242'])
  return rows
}

function whereDataLies({ databaseUrl, dataDirectory }: Config): string {
  return databaseUrl.startsWith('sqlite:') ? dataDirectory : `PostgreSQL, and ${dataDirectory}`
}

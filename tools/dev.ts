import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError, readConfig, type Config } from '#server/config/config.ts'
import { ChildProcess } from './child-process.ts'

// `npm run dev`: the site of `npm start`, with pages from the sources and a restart when server code changes.

const ROOT = resolve(import.meta.dirname, '..')
const WATCHED = ['src/server', 'src/contract']
const STANDINS_WITHIN_MS = 15_000

process.chdir(ROOT)
if (existsSync('.env')) process.loadEnvFile('.env')

try {
  process.exitCode = await develop(readConfig(process.env))
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
process.exit()

async function develop(config: Config): Promise<number> {
  const standins =
    config.standinsUrl && !process.env['STANDINS_URL'] ? await startStandins(config.standinsUrl, config) : null
  // Vite watches the pages; without these folders Node would also watch Vite's output.
  const watching = WATCHED.map((folder) => `--watch-path=${join(ROOT, folder)}`)
  const program = join(ROOT, 'tools', 'site', 'development-site.ts')
  const site = spawn(process.execPath, [...watching, '--watch-preserve-output', program], {
    env: { ...process.env, LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn' },
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => site.kill('SIGTERM'))
  const [status] = (await once(site, 'exit')) as [number | null]
  await standins?.stop()
  return status ?? 0
}

async function startStandins(url: string, { dataDirectory, port }: Config): Promise<ChildProcess> {
  const standins = new ChildProcess({
    name: 'stand-ins',
    program: join(ROOT, 'standins', 'main.ts'),
    environment: {
      ...process.env,
      DATA_DIR: dataDirectory,
      STANDINS_PORT: new URL(url).port,
      SMTP_STANDIN_PORT: process.env['SMTP_STANDIN_PORT'] ?? String(port + 2),
    },
    logFile: join(dataDirectory, 'logs', 'standins.log'),
    say: (line) => console.log(line),
  })
  // Sample members pay through the stand-ins when the database is filled.
  const deadline = Date.now() + STANDINS_WITHIN_MS
  while (standins.isRunning && Date.now() < deadline && !(await responds(url))) await sleep(50)
  return standins
}

async function responds(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}

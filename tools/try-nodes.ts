// npm run try-nodes [-- 20 22 24 25 latest]
// On Linux: clones the last commit once for each of these Node releases, with only that Node on the PATH, and runs the commands of the README:
// `npm start` (with pages that need the newest features), `npm test`, `npm run build` and `npm run admin`. About two minutes for each release.

import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findFreePorts } from './ports.ts'

const ROOT = resolve(import.meta.dirname, '..')
const READY_WITHIN_MS = 300_000
/** An event with hours, the feed and the calendar need Temporal. */
const PAGES = ['/', '/readyz', '/events/garba-night', '/news.rss', '/events.ics', '/api/openapi.json']
const COMMANDS = [
  ['test', '--', 'src/server/features/content-store/event-times.rules.test.ts'],
  ['run', 'build'],
  ['run', 'admin', '--', 'help'],
]
/** What an outer npm sets for its own script; the other settings of npm, such as the registry, remain. */
const OF_THIS_RUN =
  /^(npm_(package|lifecycle|command|node_execpath|execpath|config_(local_prefix|prefix|node_gyp))|NODE_(ENV|OPTIONS)$|INIT_CWD$)/i

const npm = realpathSync(process.env['npm_execpath'] ?? execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())
const releases = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24', '25', 'latest']
for (const release of releases) {
  const folder = mkdtempSync(join(tmpdir(), `association-node-${release}-`))
  try {
    console.log(await tryNode(release, folder))
  } catch (error) {
    console.log(`Node ${release}: FAILED\n${(error as Error).message}`)
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns a line for the reader. @throws Error with the output of what failed */
async function tryNode(release: string, folder: string): Promise<string> {
  const name = `node-linux-${process.arch}`
  execFileSync('npm', ['install', '--silent', '--ignore-scripts', '--prefix', folder, `${name}@${release}`])
  const node = join(folder, 'node_modules', name, 'bin', 'node')
  const clone = join(folder, 'clone')
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', ROOT, clone])
  const port = await findFreePorts(3)
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([key]) => !OF_THIS_RUN.test(key))),
    PATH: `${dirname(node)}:/usr/local/bin:/usr/bin:/bin`,
    PORT: String(port),
  }
  const pages = await servePages(node, clone, env)
  for (const command of COMMANDS) {
    await promisify(execFile)(node, [npm, ...command], { cwd: clone, env, maxBuffer: 64_000_000 }).catch(
      (error: Error & { stdout: string; stderr: string }) => {
        throw new Error(`npm ${command.join(' ')}\n${error.stdout}${error.stderr}`)
      },
    )
  }
  const version = (file: string) => execFileSync(file, ['--version'], { encoding: 'utf8', env, cwd: clone }).trim()
  const own = join(clone, 'node_modules/.bin/node')
  const used = version(existsSync(own) ? own : node)
  const commands = COMMANDS.map((command) => `npm ${command.slice(0, 2).join(' ').replace(' --', '')}`)
  return `Node ${version(node)}, which runs the site on ${used}: npm start (${pages.join(', ')}), ${commands.join(', ')}`
}

/** Starts the site, requests the pages, and stops it. @throws Error with its output */
async function servePages(node: string, clone: string, env: Record<string, string | undefined>): Promise<string[]> {
  const site = spawn(node, [npm, 'start'], { cwd: clone, env, detached: true })
  let output = ''
  for (const stream of [site.stdout, site.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const ended = once(site, 'exit')
  const deadline = Date.now() + READY_WITHIN_MS
  const isUp = () => output.includes('Ctrl-C stops it')
  while (!isUp() && site.exitCode === null && Date.now() < deadline) await sleep(200)
  const statuses: string[] = []
  for (const path of PAGES) {
    const status = await fetch(`http://127.0.0.1:${env['PORT']}${path}`).then(
      (response) => response.status,
      () => 0,
    )
    statuses.push(`${path} ${status}`)
  }
  if (site.exitCode === null && site.pid !== undefined) process.kill(-site.pid, 'SIGTERM')
  await ended
  if (!isUp() || !statuses.every((line) => line.endsWith(' 200'))) throw new Error(`${statuses.join(', ')}\n${output}`)
  return statuses
}

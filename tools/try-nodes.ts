// node tools/try-nodes.ts [20 22 24 26]
// Runs `npm start` on a fresh clone of this repository under each of these Node releases, on Linux, and requests what needs the newest features: a feed
// and a calendar.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePorts } from './ports.ts'

const ROOT = resolve(import.meta.dirname, '..')
const READY_WITHIN_MS = 300_000
const ASKED = ['/', '/news.rss', '/events.ics', '/api/openapi.json']

const npm = process.env['npm_execpath'] ?? realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())
const majors = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24', '26']
let failed = false
for (const major of majors) {
  const folder = mkdtempSync(join(tmpdir(), `association-node-${major}-`))
  try {
    const told = await tryNode(major, folder)
    failed ||= told.includes('FAILED')
    console.log(told)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
process.exitCode = failed ? 1 : 0

async function tryNode(major: string, folder: string): Promise<string> {
  const name = `node-linux-${process.arch}`
  execFileSync('npm', ['install', '--silent', '--ignore-scripts', '--prefix', folder, `${name}@${major}`])
  const node = join(folder, 'node_modules', name, 'bin', 'node')
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  const clone = join(folder, 'clone')
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', ROOT, clone])
  const port = await findFreePorts(3)
  const env = {
    ...Object.fromEntries(
      Object.entries(process.env).filter(([key]) => !/^(npm_package|npm_lifecycle|NODE_ENV$|NODE_OPTIONS$)/i.test(key)),
    ),
    PATH: `${dirname(node)}:/usr/local/bin:/usr/bin:/bin`,
    PORT: String(port),
    npm_node_execpath: node,
  }
  const site = spawn(node, [npm, 'start'], { cwd: clone, env, detached: true })
  let output = ''
  for (const stream of [site.stdout, site.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const ended = once(site, 'exit')
  const deadline = Date.now() + READY_WITHIN_MS
  const isUp = () => output.includes('Ctrl-C stops it')
  while (!isUp() && site.exitCode === null && Date.now() < deadline) await sleep(200)
  const statuses: string[] = []
  for (const path of ASKED) {
    const status = await fetch(`http://127.0.0.1:${port}${path}`).then(
      (response) => response.status,
      () => 0,
    )
    statuses.push(`${path} ${status}`)
  }
  if (site.exitCode === null && site.pid !== undefined) process.kill(-site.pid, 'SIGTERM')
  await ended
  const isRight = isUp() && statuses.every((line) => line.endsWith(' 200'))
  return isRight ? `Node ${version}: npm start serves (${statuses.join(', ')})` : `Node ${version}: FAILED\n${output}`
}

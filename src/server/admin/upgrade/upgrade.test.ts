import { execFile, execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startStandins, type Standins } from '#standins/standins.ts'
import { findFreePorts } from '#tools/ports.ts'

// Real releases of this code with another version, on a server in a folder: only systemd is replaced, by a script that starts and ends processes.

const ROOT = resolve(import.meta.dirname, '../../../..')
const WITHIN_MS = 240_000
const READY_WITHIN_S = 20
const folder = mkdtempSync(join(tmpdir(), 'association-upgrade-'))
const at = (...path: string[]) => join(folder, ...path)
const { publicKey, privateKey } = generateKeyPairSync('ed25519')

let standins: Standins
let port: number
/** What the publisher's address answers, by path. */
const published = new Map<string, Buffer>()
const asked: (string | undefined)[] = []
const publisher = createServer((request, response) => {
  asked.push(request.headers['user-agent'])
  const file = published.get(request.url ?? '')
  response.writeHead(file ? 200 : 404).end(file)
})

/** A script with the verbs of systemctl that the upgrade uses, for the one unit that runs here. */
const SERVICE = `#!/bin/sh
echo "$*" >> ${at('calls')}
case "$*" in *association.service*) ;; is-active*) exit 3 ;; *) exit 0 ;; esac
site() { cat ${at('pid')} 2> /dev/null; }
case $1 in
  start)
    cd ${at('opt/current')} || exit 1
    setsid env -i PATH=${join(ROOT, 'node_modules/.bin')}:${resolve(process.execPath, '..')}:/usr/bin:/bin node --env-file=${at('site.env')} src/server/main.ts >> ${at('log')} 2>&1 < /dev/null &
    echo $! > ${at('pid')} ;;
  stop)
    kill "$(site)" 2> /dev/null
    for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$(site)" 2> /dev/null || exit 0; sleep 0.5; done
    kill -KILL "$(site)" ;;
  kill) kill -KILL "$(site)" ;;
esac
`

/** Starts, changes the database as a migration would, and neither serves nor ends when asked to. */
const HANGING = `
import Sqlite from 'better-sqlite3'
const database = new Sqlite(process.env.DATA_DIR + '/association.db')
database.exec("insert into migration (name, applied_at) values ('9999-of-a-newer-release', 1); delete from content_record")
process.on('SIGTERM', () => {})
setInterval(() => {}, 1000)
`
const CRASHING = `throw new Error('This release does not start.')`

beforeAll(async () => {
  standins = await startStandins({ directory: '', port: 0, smtpPort: 0, persist: false, parseMailsAtOnce: true })
  await new Promise<void>((done) => publisher.listen(0, '127.0.0.1', done))
  port = await findFreePorts(1)
  for (const name of ['opt', 'units', 'sbin', 'data', 'backups']) mkdirSync(at(name))
  writeFileSync(at('service'), SERVICE, { mode: 0o755 })
  const address = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/newest.json`
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  writeFileSync(
    at('site.env'),
    `NODE_ENV=production
PORT=${port}
DATA_DIR=${at('data')}
BACKUP_DIR=${at('backups')}
STOP_GRACE_SECONDS=0
SITE_URL=https://www.example.org
OFFICERS_EMAIL=office@example.org
STRIPE_SECRET_KEY=sk_test_0
STRIPE_PUBLISHABLE_KEY=pk_test_0
STRIPE_WEBHOOK_SECRET=whsec_0
STRIPE_API_URL=${standins.url}
RECAPTCHA_SITE_KEY=site
RECAPTCHA_SECRET_KEY=secret
RECAPTCHA_URL=${standins.url}/recaptcha
SMTP_URL=${standins.smtpUrl}
MAIL_FROM=office@example.org
RELEASES_URL=${address}
RELEASES_KEY=${key}
`,
  )
  const first = makeRelease('1.0.0')
  cpSync(first, at('opt/1.0.0'), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), at('opt/1.0.0/node_modules'))
  symlinkSync(at('opt/1.0.0'), at('opt/current'))
  await admin('create-officer', 'president@example.org', 'president', 'Asha', 'Iyer')
  execFileSync(at('service'), ['start', 'association.service'])
  await vi.waitUntil(isReady, { timeout: 60_000, interval: 200 })
}, WITHIN_MS)

afterAll(async () => {
  execFileSync(at('service'), ['stop', 'association.service'])
  publisher.close()
  await standins.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A folder with the code of this release under another version. */
function makeRelease(version: string, main?: string): string {
  const release = at('made', `association-${version}`)
  for (const part of ['src/server', 'src/contract', 'content', 'public/art', 'deploy'])
    cpSync(join(ROOT, part), join(release, part), { recursive: true, filter: (file) => !file.includes('.test.') })
  const whole = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>
  const scripts = { build: `ln -s ${join(ROOT, 'node_modules')} node_modules` }
  writeFileSync(join(release, 'package.json'), `${JSON.stringify({ ...whole, version, scripts }, null, 2)}\n`)
  if (main !== undefined) writeFileSync(join(release, 'src/server/main.ts'), main)
  return release
}

function makeArchive(version: string, main?: string): string {
  const archive = at(`association-${version}.tar.gz`)
  execFileSync('tar', ['-czf', archive, '-C', resolve(makeRelease(version, main), '..'), `association-${version}`])
  return archive
}

/** Publishes a release file for an archive, signed with a key. */
function publish(version: string, archive: Buffer, { key = privateKey, asks = [] as string[] } = {}): void {
  const address = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/archive.tar.gz`
  const sha256 = createHash('sha256').update(archive).digest('hex')
  const text = Buffer.from(JSON.stringify({ version, brings: ['A calendar.'], asks, archive: address, sha256 }))
  published.set('/newest.json', text)
  published.set('/newest.json.sig', Buffer.from(sign(null, text, key).toString('base64')))
  published.set('/archive.tar.gz', archive)
}

/** `association-admin` of the running release. Returns its exit code and what it printed. */
async function admin(...words: string[]): Promise<{ status: number; printed: string }> {
  const env = {
    PATH: `${join(ROOT, 'node_modules/.bin')}:/usr/bin:/bin`,
    ASSOCIATION_HOME: at('opt/current'),
    ASSOCIATION_SETTINGS: at('site.env'),
    ASSOCIATION_USER: userInfo().username,
    ASSOCIATION_RELEASES: at('opt'),
    ASSOCIATION_UNITS: at('units'),
    ASSOCIATION_ADMIN: at('sbin/association-admin'),
    ASSOCIATION_SERVICE: at('service'),
  }
  try {
    const { stdout, stderr } = await promisify(execFile)(at('opt/current/deploy/association-admin'), words, { env })
    return { status: 0, printed: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { status: code, printed: stdout + stderr }
  }
}

const upgradeTo = (...words: string[]) => admin('upgrade', ...words, '--wait', String(READY_WITHIN_S))
const isReady = () =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
const running = () => basename(readlinkSync(at('opt/current')))
const alerts = () => standins.mails('office@example.org').filter(({ subject }) => subject.includes('upgrade'))

/** All rows of all tables but the times of regular jobs. */
function digestOfData(): string {
  const database = new Sqlite(at('data/association.db'), { readonly: true })
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table' order by name").pluck().all()
    const hash = createHash('sha256')
    for (const table of (tables as string[]).filter((name) => name !== 'job'))
      hash.update(`${table} ${JSON.stringify(database.prepare(`select * from "${table}"`).all())}\n`)
    return hash.digest('hex')
  } finally {
    database.close()
  }
}

test(
  'a release that does not start is left by itself: the previous one runs, the data is as before, the officers get one email',
  { timeout: WITHIN_MS },
  async () => {
    const before = digestOfData()
    const { status, printed } = await upgradeTo(makeArchive('9.0.1', CRASHING))
    expect(printed).toContain('The previous release runs again.')
    expect(printed).toContain('The database was not changed by the new release.')
    expect(status).toBe(1)
    expect([running(), await isReady()]).toEqual(['1.0.0', true])
    expect(digestOfData()).toBe(before)
    expect(alerts().map(({ subject }) => subject)).toEqual(['Website alert: The upgrade to release 9.0.1 failed'])
  },
)

test(
  'a release that migrates and then hangs is ended within two minutes, and the backup is restored',
  { timeout: WITHIN_MS },
  async () => {
    const before = digestOfData()
    const startedAt = performance.now()
    const { status, printed } = await upgradeTo(makeArchive('9.0.2', HANGING))
    expect(printed).toContain('it was restored as it was before the upgrade')
    expect(status).toBe(1)
    expect(performance.now() - startedAt).toBeLessThan(120_000)
    expect([running(), await isReady()]).toEqual(['1.0.0', true])
    expect(digestOfData()).toBe(before)
    expect(
      alerts()
        .map(({ subject }) => subject)
        .at(-1),
    ).toBe('Website alert: The upgrade to release 9.0.2 failed')
    expect(alerts()).toHaveLength(2)
  },
)

test(
  'a release file with another signature, or an archive that it does not name, is refused before the site is stopped',
  { timeout: WITHIN_MS },
  async () => {
    const archive = readFileSync(makeArchive('9.0.3'))
    writeFileSync(at('calls'), '')
    publish('9.0.3', archive, { key: generateKeyPairSync('ed25519').privateKey })
    expect((await upgradeTo()).printed).toContain('does not belong to RELEASES_KEY')
    publish('9.0.3', archive)
    published.set('/archive.tar.gz', Buffer.concat([archive, Buffer.from('x')]))
    expect((await upgradeTo()).printed).toContain('is not the file that the publisher signed')
    publish('0.9.0', archive)
    expect(await upgradeTo()).toEqual({ status: 0, printed: '1.0.0 is the newest release.\n' })
    expect(readFileSync(at('calls'), 'utf8')).toBe('')
  },
)

test(
  'the newest release is found for the console, waits for what it asks, and runs',
  { timeout: WITHIN_MS },
  async () => {
    asked.length = 0
    publish('9.0.4', readFileSync(makeArchive('9.0.4')), { asks: ['Tell the officers.'] })
    expect((await admin('releases')).printed).toContain('Release 9.0.4 is available:\n  - A calendar.\n')
    expect(JSON.parse(readFileSync(at('data/newest-release.json'), 'utf8'))).toMatchObject({ version: '9.0.4' })
    expect(new Set(asked)).toEqual(new Set(['association/1.0.0']))

    const unconfirmed = await upgradeTo()
    expect(unconfirmed.status).toBe(1)
    expect(unconfirmed.printed).toContain('  - Tell the officers.\n')
    expect(running()).toBe('1.0.0')

    const { status, printed } = await upgradeTo('--yes')
    expect(printed).toContain('Release 9.0.4 runs.')
    expect(status).toBe(0)
    expect([running(), await isReady()]).toEqual(['9.0.4', true])
    expect(existsSync(at('backups/before-9.0.4'))).toBe(true)
    expect(existsSync(at('units/association.service'))).toBe(true)
    expect(alerts()).toHaveLength(2)
    expect((await upgradeTo()).printed).toContain('9.0.4 is the newest release.')
  },
)

import { execFile, execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { startStandins } from '#standins/standins.ts'
import { until } from '../load.ts'
import { freePort, TREE } from './processes.ts'

const MODULES = join(TREE, 'node_modules')
const READY_WITHIN_MS = 120_000

export type InstalledSite = Awaited<ReturnType<typeof startInstalledServer>>

/**
 * A server in a folder, as `deploy/install` makes it, that runs release 1.0.0: this code under that version, as all of its releases. Only systemd is
 * replaced, by a script that starts and ends processes.
 */
export async function startInstalledServer() {
  const folder = mkdtempSync(join(tmpdir(), 'association-server-'))
  const at = (path: string) => join(folder, path)
  const standins = await startStandins({ directory: '', port: 0, smtpPort: 0, persist: false, parseMailsAtOnce: true })
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  /** What the publisher's address answers, by path. */
  const published = new Map<string, Buffer>()
  const askedBy: (string | undefined)[] = []
  const publisher = createServer((request, response) => {
    askedBy.push(request.headers['user-agent'])
    const file = published.get(request.url ?? '')
    response.writeHead(file ? 200 : 404).end(file)
  })
  await new Promise<void>((done) => publisher.listen(0, '127.0.0.1', done))
  const publisherOrigin = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}`
  const port = await freePort()
  for (const name of ['opt', 'units', 'sbin', 'data', 'backups']) mkdirSync(at(name))
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const settings = {
    NODE_ENV: 'production',
    SETUP: 'off',
    PORT: port,
    DATA_DIR: at('data'),
    BACKUP_DIR: at('backups'),
    STOP_GRACE_SECONDS: 0,
    SITE_URL: 'https://www.example.org',
    OFFICERS_EMAIL: 'office@example.org',
    STRIPE_SECRET_KEY: 'sk_test_0',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_0',
    STRIPE_WEBHOOK_SECRET: 'whsec_0',
    STRIPE_API_URL: standins.url,
    RECAPTCHA_SITE_KEY: 'site',
    RECAPTCHA_SECRET_KEY: 'secret',
    RECAPTCHA_URL: `${standins.url}/recaptcha`,
    SMTP_URL: standins.smtpUrl,
    MAIL_FROM: 'office@example.org',
    RELEASES_URL: `${publisherOrigin}/newest.json`,
    RELEASES_KEY: key,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(at('site.env'), lines.join(''))
  writeFileSync(at('service'), serviceScript(folder), { mode: 0o755 })

  /** A folder with this code under another version. */
  function makeRelease(version: string, main?: string): string {
    const release = at(`made/association-${version}`)
    for (const part of ['src/server', 'src/contract', 'content', 'public/art', 'deploy'])
      cpSync(join(TREE, part), join(release, part), { recursive: true })
    const whole = JSON.parse(readFileSync(join(TREE, 'package.json'), 'utf8')) as Record<string, unknown>
    const scripts = { build: `ln -s ${MODULES} node_modules` }
    writeFileSync(join(release, 'package.json'), `${JSON.stringify({ ...whole, version, scripts }, null, 2)}\n`)
    if (main !== undefined) writeFileSync(join(release, 'src/server/main.ts'), main)
    return release
  }

  /** `association-admin` of the running release. */
  async function admin(...words: string[]): Promise<{ status: number; printed: string }> {
    const env = {
      PATH: '/usr/bin:/bin',
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

  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )

  cpSync(makeRelease('1.0.0'), at('opt/1.0.0'), { recursive: true })
  symlinkSync(MODULES, at('opt/1.0.0/node_modules'))
  symlinkSync(at('opt/1.0.0'), at('opt/current'))
  await admin('create-officer', 'president@example.org', 'president', 'Asha', 'Iyer')
  execFileSync(at('service'), ['start', 'association.service'])
  if (!(await until(isReady, { withinMs: READY_WITHIN_MS }))) throw new Error(readFileSync(at('log'), 'utf8'))

  return {
    at,
    admin,
    isReady,
    published,
    askedBy,
    /** The file with every call of the service command, each after its time in seconds. */
    calls: at('calls'),
    running: () => basename(readlinkSync(at('opt/current'))),
    /** Subjects of emails about upgrades. */
    alerts: () =>
      standins
        .mails('office@example.org')
        .map(({ subject }) => subject)
        .filter((subject) => subject.includes('upgrade')),
    /** How long ago the service command was called with these words, for the last time or one of those before it. */
    secondsSince(words: string, fromTheEnd: number): number {
      const calls = readFileSync(at('calls'), 'utf8').split('\n')
      const times = calls.filter((call) => call.includes(` ${words}`)).map((call) => Number(call.split(' ')[0]))
      return Math.round(Date.now() / 1_000) - (times.at(-fromTheEnd) ?? NaN)
    },
    makeArchive(version: string, main?: string): string {
      const archive = at(`association-${version}.tar.gz`)
      execFileSync('tar', ['-czf', archive, '-C', resolve(makeRelease(version, main), '..'), `association-${version}`])
      return archive
    },
    /** Publishes a release file for an archive, signed with the publisher's key or another. */
    publish(version: string, archive: Buffer, options: { key?: typeof privateKey; asks?: string[] } = {}): void {
      const sha256 = createHash('sha256').update(archive).digest('hex')
      const { key: signer = privateKey, asks = [] } = options
      const address = `${publisherOrigin}/archive.tar.gz`
      const text = Buffer.from(JSON.stringify({ version, brings: ['A calendar.'], asks, archive: address, sha256 }))
      published.set('/newest.json', text)
      published.set('/newest.json.sig', Buffer.from(sign(null, text, signer).toString('base64')))
      published.set('/archive.tar.gz', archive)
    },
    /** All rows of all tables but the times of regular jobs. */
    digestOfData(): string {
      const database = new Sqlite(at('data/association.db'), { readonly: true })
      try {
        const list = database.prepare("select name from sqlite_master where type = 'table' order by name")
        const hash = createHash('sha256')
        for (const { name } of list.all() as { name: string }[])
          if (name !== 'job')
            hash.update(`${name} ${JSON.stringify(database.prepare(`select * from "${name}"`).all())}\n`)
        return hash.digest('hex')
      } finally {
        database.close()
      }
    },
    async close(): Promise<void> {
      execFileSync(at('service'), ['stop', 'association.service'])
      publisher.close()
      await standins.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A program with the verbs of systemctl that an upgrade uses, for the one unit that runs here. */
function serviceScript(folder: string): string {
  return `#!/bin/sh
echo "$(date +%s) $*" >> ${folder}/calls
case "$*" in *association.service*) ;; is-active*) exit 3 ;; *) exit 0 ;; esac
site() { cat ${folder}/pid 2> /dev/null; }
case $1 in
  start)
    cd ${folder}/opt/current || exit 1
    setsid env -i PATH=/usr/bin:/bin ${process.execPath} --env-file=${folder}/site.env src/server/main.ts >> ${folder}/log 2>&1 < /dev/null &
    echo $! > ${folder}/pid ;;
  stop)
    kill "$(site)" 2> /dev/null
    for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$(site)" 2> /dev/null || exit 0; sleep 0.5; done
    kill -KILL "$(site)" ;;
  kill) kill -KILL "$(site)" ;;
esac
`
}

import { execFile } from 'node:child_process'
import { renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import type { Config } from '#server/config/config.ts'
import { sendAlertDirectly } from '#server/alerts/send-alert-directly.ts'
import type { Server } from './upgrade-site.ts'

const TIMERS = ['association-backup.timer', 'association-check.timer', 'association-update.timer']
/** What may run beside the site and use its database. */
const BESIDE = [...TIMERS, 'association-backup.service', 'association-check.service']
/** Not the Node of the running release: each release brings its own. */
const PLAIN_PATH = 'PATH=/usr/local/sbin:/usr/sbin:/usr/local/bin:/usr/bin:/sbin:/bin'
const MAX_OUTPUT = 64_000_000

export interface InstalledServer extends Server {
  /** Starts the timers that ran before the site was stopped. */
  startTimers(): Promise<void>
}

/**
 * A server as `deploy/install` makes it: a folder for each release, the link `current`, and units.
 * @param releases the folder of the releases
 * @param service a command with the verbs of systemctl
 */
export function installedServer({
  config,
  releases,
  service,
  to,
}: {
  config: Config
  releases: string
  service: string
  to: string
}): InstalledServer {
  const backups = join(config.backup?.directory ?? '', `before-${to}`)
  const host = config.host === '0.0.0.0' ? '127.0.0.1' : config.host
  const timers: string[] = []

  /** `association-admin` of a release, which runs as the site's user. */
  const admin = (release: string, ...words: string[]) =>
    run(
      'env',
      `ASSOCIATION_HOME=${join(releases, release)}`,
      join(releases, release, 'deploy/association-admin'),
      ...words,
    )

  return {
    async stop() {
      for (const timer of TIMERS) {
        const isActive = await run(service, 'is-active', '--quiet', timer).then(
          () => true,
          () => false,
        )
        if (isActive) timers.push(timer)
      }
      await run(service, 'stop', ...BESIDE, 'association.service')
    },
    async kill() {
      await run(service, 'kill', '--signal=SIGKILL', 'association.service').catch(() => {}) // it may have exited
      await run(service, 'stop', 'association.service')
    },
    start: async () => void (await run(service, 'start', 'association.service')),
    async startTimers() {
      if (timers.length > 0) await run(service, 'start', ...timers)
    },
    isReady: () =>
      fetch(`http://${host}:${config.port}/readyz`, { signal: AbortSignal.timeout(3_000) }).then(
        ({ ok }) => ok,
        () => false,
      ),
    async switchTo(release) {
      const link = join(releases, 'current')
      rmSync(`${link}.new`, { force: true })
      symlinkSync(join(releases, release), `${link}.new`)
      renameSync(`${link}.new`, link)
      await installScript(join(releases, release), '--files')
    },
    backUp: async (release) => void (await admin(release, 'backup', backups)),
    async accepts(release) {
      try {
        await admin(release, 'migrate')
        return true
      } catch (error) {
        if ((error as Error).message.includes('migrated by a newer release')) return false
        throw error
      }
    },
    restore: async (release) => void (await admin(release, 'restore', backups, '--replace')),
    async notify(sentences) {
      await sendAlertDirectly(config, `The upgrade to release ${to} failed`, [
        `The upgrade of ${config.siteUrl} to release ${to} failed.`,
        ...sentences,
        'To see why, the webmaster can run: journalctl -u association -n 200',
      ])
    },
  }
}

/** Unpacks an archive beside the releases and makes the folder of its release. Returns its version. */
export async function prepareRelease(releases: string, archive: string): Promise<string> {
  const folder = join(releases, '.upgrade')
  rmSync(folder, { recursive: true, force: true })
  try {
    await run('mkdir', folder)
    await run('tar', '-xf', archive, '-C', folder, '--no-same-owner', '--strip-components=1')
    const { stdout } = await run('sed', '-n', 's/^  "version": "\\([0-9.]*\\)",$/\\1/p', join(folder, 'package.json'))
    await installScript(folder, '--prepare')
    return stdout.trim()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The release that runs from the next start on. */
export const currentRelease = async (releases: string): Promise<string> =>
  basename((await run('readlink', '-f', join(releases, 'current'))).stdout.trim())

const installScript = (release: string, option: string) =>
  run('env', '-u', 'NODE_ENV', PLAIN_PATH, join(release, 'deploy/install'), option)

/** @throws Error with what the program printed */
async function run(program: string, ...words: string[]): Promise<{ stdout: string }> {
  try {
    return await promisify(execFile)(program, words, { maxBuffer: MAX_OUTPUT })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${stderr}${stdout}`.trim() || (error as Error).message, { cause: error })
  }
}

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { readRelease } from '#server/monitoring/process-stats.ts'
import { fetchRelease, isNewer, ReleaseProblem, type Release } from '#server/releases/release-file.ts'
import type { Say, ToolsWithoutDatabase } from '../tools.ts'
import { currentRelease, installedServer, prepareRelease } from './installed-server.ts'
import { upgradeSite } from './upgrade-site.ts'

/** With the restore, the previous release is back within two minutes. */
const READY_WITHIN_S = 45

/** `upgrade [ARCHIVE] [--yes] [--wait SECONDS]`; `deploy/association-admin` adds where the releases are and which command controls the units. */
export async function upgrade(parameters: readonly string[], { config, say }: ToolsWithoutDatabase): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...parameters],
    allowPositionals: true,
    options: {
      releases: { type: 'string' },
      service: { type: 'string' },
      yes: { type: 'boolean', default: false },
      wait: { type: 'string', default: String(READY_WITHIN_S) },
    },
  })
  const { releases, service, yes, wait } = values
  const readyWithinMs = Number(wait) * 1_000
  if (positionals.length > 1 || !(readyWithinMs > 0)) {
    say('Usage: upgrade [ARCHIVE] [--yes] [--wait SECONDS]')
    return 2
  }
  if (!releases || !service || !existsSync(join(releases, 'current'))) {
    say('An upgrade is for a server that deploy/install made: sudo association-admin upgrade')
    return 2
  }
  if (!config.backup) {
    say('Set BACKUP_DIR first: an upgrade begins with a backup.')
    return 1
  }
  const { version } = readRelease(null)
  const from = await currentRelease(releases)
  try {
    const archive = positionals[0] ?? (await downloadNewest({ config, releases, version, yes, say }))
    if (archive === null) return 0
    say('The new release is prepared while the site runs, a few minutes.')
    const to = await prepareRelease(releases, resolve(archive))
    if (!isNewer(to, version)) {
      say(
        `${resolve(archive)} is release ${to}, and ${version} runs. Only a backup leads to an older one: UPGRADING.md.`,
      )
      return 1
    }
    const server = installedServer({ config, releases, service, to })
    const isDone = await withoutInterruption(async () => {
      const isUpgraded = await upgradeSite(server, { from, to, readyWithinMs }, say)
      await server.startTimers()
      return isUpgraded
    })
    if (!isDone) return 1
    say(`Release ${to} runs. The folder of ${from} and the backup before-${to} can be deleted when you are satisfied.`)
    return 0
  } catch (error) {
    if (!(error instanceof ReleaseProblem)) throw error
    say(error.message)
    return 1
  } finally {
    rmSync(downloadIn(releases), { force: true })
  }
}

const downloadIn = (releases: string) => join(releases, '.upgrade.tar.gz')

/** Returns the archive of the newest release; null when there is nothing to install. @throws ReleaseProblem */
async function downloadNewest({
  config,
  releases,
  version,
  yes,
  say,
}: {
  config: ToolsWithoutDatabase['config']
  releases: string
  version: string
  yes: boolean
  say: Say
}): Promise<string | null> {
  if (!config.releases)
    throw new ReleaseProblem('RELEASES_URL is not set. Name the archive of the release: upgrade ARCHIVE')
  const release = await fetchRelease(config.releases, version)
  if (!isNewer(release.version, version)) {
    say(`${version} is the newest release.`)
    return null
  }
  say(`Release ${release.version}:`)
  for (const sentence of release.brings) say(`  - ${sentence}`)
  if (release.asks.length > 0) {
    say('It asks you to do this first:')
    for (const sentence of release.asks) say(`  - ${sentence}`)
    if (!yes) throw new ReleaseProblem('When it is done: sudo association-admin upgrade --yes')
  }
  await download(release, version, downloadIn(releases))
  return downloadIn(releases)
}

async function download({ archive, sha256 }: Release, version: string, file: string): Promise<void> {
  const reply = await fetch(archive, { headers: { 'user-agent': `association/${version}` } }).catch((error: Error) => {
    throw new ReleaseProblem(`${archive} could not be read: ${error.message}.`)
  })
  if (!reply.ok || !reply.body) throw new ReleaseProblem(`${archive} could not be read: status ${reply.status}.`)
  await pipeline(reply.body, createWriteStream(file, { mode: 0o600 }))
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  if (hash.digest('hex') !== sha256)
    throw new ReleaseProblem(`${archive} is not the file that the publisher signed. Nothing was installed.`)
}

/** A closed terminal or Ctrl-C does not end an upgrade in the middle. */
async function withoutInterruption<T>(work: () => Promise<T>): Promise<T> {
  const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const
  const ignore = () => {}
  for (const signal of signals) process.on(signal, ignore)
  try {
    return await work()
  } finally {
    for (const signal of signals) process.off(signal, ignore)
  }
}

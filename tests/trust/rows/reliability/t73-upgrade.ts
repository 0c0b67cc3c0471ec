import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { generateKeyPairSync } from 'node:crypto'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import { startInstalledServer, type InstalledSite } from '#tests/trust/faults/installed-site.ts'

const BACK_WITHIN_S = 120

const CRASHING = `throw new Error('This release does not start.')`
/** Starts, changes the database as a migration would, and neither serves nor ends when asked to. */
const HANGING = `
import Sqlite from 'better-sqlite3'
const database = new Sqlite(process.env.DATA_DIR + '/association.db')
database.exec("insert into migration (name, applied_at) values ('9999-of-a-newer-release', 1); delete from content_record")
process.on('SIGTERM', () => {})
setInterval(() => {}, 1000)
`

export const row: TrustRow = {
  id: 'T73',
  promise: 'An upgrade that fails goes back by itself',
  gate: true,
  undisturbed: true,
  target: `association-admin upgrade to a release that exits, and to one that migrates and hangs: the previous one is ready again within ${BACK_WITHIN_S} s of the start of the new one, every row as before, one email each; a release with a foreign signature or another archive is refused before the site is stopped; a good one runs, and its publisher reads the running version only`,
  async run() {
    const faults = new Faults()
    const site = await startInstalledServer()
    try {
      const exits = await fail(
        site,
        { version: '9.0.1', main: CRASHING, says: 'not changed by the new release' },
        faults,
      )
      const hangs = await fail(site, { version: '9.0.2', main: HANGING, says: 'restored as it was before' }, faults)
      await refuseForeign(site, faults)
      const good = await succeed(site, faults)
      return {
        passed: faults.count === 0,
        reached: `ready again on the previous release after ${exits} s (exits) and ${hangs} s (migrates and hangs); 2 foreign files refused; upgraded in ${good} s without a site; ${site.alerts().length} emails; faults: ${faults}`,
        notes: 'A script with the verbs of systemctl starts and ends the processes; systemd itself does not run here',
      }
    } finally {
      await site.close()
    }
  },
}

/** Upgrades to a release that fails. Returns how many seconds after its start the previous one was ready. */
async function fail(
  site: InstalledSite,
  { version, main, says }: { version: string; main: string; says: string },
  faults: Faults,
): Promise<number> {
  const before = site.digestOfData()
  const emails = site.alerts().length
  const { status, printed } = await site.admin('upgrade', site.makeArchive(version, main))
  const seconds = site.secondsSince('start association.service', 2)
  faults.expect(status === 1 && printed.includes(says), 'another result than expected', printed.slice(-200))
  faults.expect((await site.isReady()) && site.running() === '1.0.0', 'the previous release does not run', version)
  faults.expect(seconds <= BACK_WITHIN_S, 'not back in time', `${version}: ${seconds} s`)
  faults.expect(site.digestOfData() === before, 'other data than before', version)
  const wanted = site
    .alerts()
    .filter((subject) => subject === `Website alert: The upgrade to release ${version} failed`)
  faults.expect(wanted.length === 1 && site.alerts().length === emails + 1, 'other emails', site.alerts().join(', '))
  return seconds
}

async function refuseForeign(site: InstalledSite, faults: Faults): Promise<void> {
  const archive = readFileSync(site.makeArchive('9.0.3'))
  const expectRefused = async (reason: string) => {
    writeFileSync(site.calls, '')
    const { printed } = await site.admin('upgrade')
    faults.expect(printed.includes(reason), 'a foreign file was not refused', printed.slice(-200))
    faults.expect(readFileSync(site.calls, 'utf8') === '', 'the site was touched for a refused release', reason)
  }
  site.publish('9.0.3', archive, { key: generateKeyPairSync('ed25519').privateKey })
  await expectRefused('does not belong to RELEASES_KEY')
  site.publish('9.0.3', archive)
  site.published.set('/archive.tar.gz', Buffer.concat([archive, Buffer.from('x')]))
  await expectRefused('is not the file that the publisher signed')
  site.publish('0.9.0', archive)
  await expectRefused('1.0.0 is the newest release.')
}

/** Returns for how many seconds there was no site. */
async function succeed(site: InstalledSite, faults: Faults): Promise<number> {
  site.publish('9.0.4', readFileSync(site.makeArchive('9.0.4')), { asks: ['Notify the officers.'] })
  const found = await site.admin('releases')
  faults.expect(found.printed.includes('Release 9.0.4 is available:\n  - A calendar.'), 'not found', found.printed)
  const agents = [...new Set(site.askedBy)]
  faults.expect(agents.length === 1 && agents[0] === 'association/1.0.0', 'the publisher reads more', agents.join(', '))
  const unconfirmed = await site.admin('upgrade')
  faults.expect(unconfirmed.status === 1 && site.running() === '1.0.0', 'it did not wait for what the release asks')
  const { status, printed } = await site.admin('upgrade', '--yes')
  const seconds = site.secondsSince('stop association-backup.timer', 1)
  faults.expect(
    status === 0 && site.running() === '9.0.4' && (await site.isReady()),
    'a good release does not run',
    printed,
  )
  faults.expect(existsSync(site.at('backups/before-9.0.4')), 'there is no backup')
  faults.expect(existsSync(site.at('units/association.service')), 'the units were not installed')
  return seconds
}

import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TREE } from '#tests/trust/faults/processes.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'

const DEPLOY = join(TREE, 'deploy')
/** What `deploy/try-install` exits with where it cannot run. */
const NOT_RUN = 77
/** Of systemd-analyze, from 0 to 10; lower is better. */
const MOST_EXPOSED = 2.5

export const row: TrustRow = {
  id: 'T72',
  promise: 'One command installs a server',
  gate: false,
  alone: true,
  target: `on a bare Debian, deploy/install leads from nothing to a ready site; a further run changes no file; --uninstall keeps settings, data and backups; shell scripts pass shellcheck, units pass systemd-analyze verify, the site's exposure is at most ${MOST_EXPOSED}`,
  async run() {
    const faults = new Faults()
    const notes: string[] = []
    const scripts = ['install', 'try-install', 'association-admin'].map((name) => join(DEPLOY, name))
    const units = readdirSync(DEPLOY).filter((name) => /\.(?:service|timer)$/.test(name))
    const folder = mkdtempSync(join(tmpdir(), 'association-install-'))
    const checks: [string, string[]][] = [
      ['shellcheck', scripts],
      ['systemd-analyze', ['verify', ...units.map((unit) => unitForThisMachine(unit, folder))]],
      [
        'systemd-analyze',
        ['security', '--offline=true', `--threshold=${MOST_EXPOSED * 10}`, join(DEPLOY, 'association.service')],
      ],
    ]
    const ran: string[] = []
    for (const [program, words] of checks) {
      const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: 'utf8' })
      const name = [program, ...words.filter((word) => /^[a-z]+$/.test(word))].join(' ')
      if (error) notes.push(`${name}: not run, since it is not installed`)
      else {
        faults.expect(status === 0, name, stdout + stderr)
        ran.push(name)
      }
    }
    try {
      const { status, printed } = await tryInstall(folder)
      if (status === NOT_RUN) notes.push(`the installation: ${printed.trim().replace('Not run:', 'not run,')}`)
      else {
        faults.expect(status === 0, 'the installation', printed.slice(-200))
        for (const sentence of ['The third run changed no file', 'Settings, data and backups are as before'])
          faults.expect(printed.includes(sentence), `not shown: ${sentence}`)
        ran.push('the installation')
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    return {
      passed: faults.count === 0 && ran.includes('the installation'),
      reached: `ran: ${ran.join(', ')}; ${units.length} units; faults: ${faults}`,
      ...(notes.length > 0 && { notes: notes.join('; ') }),
    }
  },
}

/** systemd-analyze wants the programs of a unit to exist, which they do not here. Returns a path for it, also for a template. */
function unitForThisMachine(unit: string, folder: string): string {
  const file = join(folder, unit.replace('@.', '@example.'))
  writeFileSync(
    file,
    readFileSync(join(DEPLOY, unit), 'utf8').replaceAll('/usr/local/sbin/association-admin', '/bin/true'),
  )
  return file
}

async function tryInstall(folder: string): Promise<{ status: number | null; printed: string }> {
  const child = spawn(join(DEPLOY, 'try-install'), [folder])
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const status = await new Promise<number | null>((done) => child.once('close', done))
  return { status, printed }
}

import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TREE } from '#tests/trust/faults/processes.ts'
import { checkUnits, MOST_EXPOSED } from '#tests/trust/faults/units.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'

const DEPLOY = join(TREE, 'deploy')
/** What `deploy/try-install` exits with where it cannot run. */
const NOT_RUN = 77

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
    const folder = mkdtempSync(join(tmpdir(), 'association-install-'))
    const { units, ran, missing } = checkUnits(folder, faults)
    if (missing) notes.push(missing)
    const { status: shell, stdout, stderr, error } = spawnSync('shellcheck', scripts, { encoding: 'utf8' })
    if (error) notes.push('not run: package shellcheck is not installed')
    else {
      faults.expect(shell === 0, 'shellcheck', stdout + stderr)
      ran.push('shellcheck')
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
      reached: `ran: ${ran.join(', ')}; ${units} units; faults: ${faults}`,
      ...(notes.length > 0 && { notes: notes.join('; ') }),
    }
  },
}

async function tryInstall(folder: string): Promise<{ status: number | null; printed: string }> {
  const child = spawn(join(DEPLOY, 'try-install'), [folder])
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const status = await new Promise<number | null>((done) => child.once('close', done))
  return { status, printed }
}

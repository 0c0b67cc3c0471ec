import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Faults } from '../row.ts'
import { isInstalled, missingSentence } from './counterparts.ts'
import { TREE } from './processes.ts'

const DEPLOY = join(TREE, 'deploy')
/** Of `systemd-analyze security`, from 0 to 10; lower is better. */
export const MOST_EXPOSED = 2.5

export interface CheckedUnits {
  units: number
  ran: string[]
  /** Why it did not run; empty if it did. */
  missing: string
  /** The exposure of each service, such as `association.service 1.7`. */
  exposures: string[]
}

/** Lets systemd read the units of `deploy/`, and rate how exposed the services are. */
export function checkUnits(folder: string, faults: Faults): CheckedUnits {
  const units = readdirSync(DEPLOY).filter((name) => /\.(?:service|timer)$/.test(name))
  const none = { units: units.length, ran: [], exposures: [] }
  if (!isInstalled('systemd-analyze'))
    return { ...none, missing: missingSentence([{ program: 'systemd-analyze', debianPackage: 'systemd' }]) }
  const files = units.map((unit) => unitForThisMachine(unit, folder))
  const verified = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' })
  faults.expect(verified.status === 0, 'systemd-analyze verify', verified.stdout + verified.stderr)
  const exposures = units
    .filter((unit) => unit.endsWith('.service'))
    .map((unit) => {
      const words = ['security', '--offline=true', `--threshold=${MOST_EXPOSED * 10}`, join(folder, fileOf(unit))]
      const { status, stdout, stderr } = spawnSync('systemd-analyze', words, { encoding: 'utf8' })
      const exposure = /exposure level for .*?: (\d+\.\d+)/.exec(stdout)?.[1] ?? 'unknown'
      // The other services run for seconds, and not as servers: their exposure is shown only.
      if (unit === 'association.service')
        faults.expect(status === 0, `systemd-analyze security ${unit}`, stdout + stderr)
      return `${unit} ${exposure}`
    })
  return { units: units.length, ran: ['systemd-analyze verify', 'systemd-analyze security'], missing: '', exposures }
}

/** A template needs a name. */
const fileOf = (unit: string) => unit.replace('@.', '@example.')

/** systemd-analyze wants the programs of a unit to exist, which they do not here. */
function unitForThisMachine(unit: string, folder: string): string {
  const file = join(folder, fileOf(unit))
  writeFileSync(
    file,
    readFileSync(join(DEPLOY, unit), 'utf8').replaceAll('/usr/local/sbin/association-admin', '/bin/true'),
  )
  return file
}

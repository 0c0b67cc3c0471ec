import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkUnits, MOST_EXPOSED } from '#tests/trust/faults/units.ts'
import { versionOf } from '#tests/trust/faults/counterparts.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'

export const row: TrustRow = {
  id: 'T76',
  promise: 'systemd takes the units',
  gate: false,
  target: `every unit of deploy/ passes systemd-analyze verify; the exposure of the site's service is at most ${MOST_EXPOSED} of 10`,
  async run() {
    const faults = new Faults()
    const folder = mkdtempSync(join(tmpdir(), 'association-units-'))
    try {
      const { units, ran, missing, exposures } = checkUnits(folder, faults)
      return {
        passed: faults.count === 0,
        reached: missing || `${units} units; exposure ${exposures.join(', ')}; faults: ${faults}`,
        ...(ran.length > 0 && { notes: `ran: ${ran.join(', ')} (${versionOf('systemd-analyze', '--version')})` }),
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

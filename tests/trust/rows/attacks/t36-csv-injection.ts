import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCsv } from '#server/lib/csv/csv.ts'
import { Program } from '#tests/trust/faults/processes.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'
import { newPerson, Visitor } from '#tests/trust/people.ts'

/** What spreadsheets treat as a formula or as the start of another cell; repeated here instead of imported from the site. */
const PREFIXES = ['=', '+', '-', '@', '|', '%', '\t', '\r', '\n', '\uff1d', '\uff0b', '\uff20']
const FIELDS = ['firstName', 'lastName', 'username', 'email'] as const

export const row: TrustRow = {
  id: 'T36',
  promise: 'CSV injection',
  gate: false,
  target: '12 prefixes in all exported fields: every cell prefixed, round trip exact',
  async run({ world: start }) {
    const world = await start()
    const faults = new Faults()
    const wanted: Record<string, string>[] = []
    for (const prefix of PREFIXES) {
      const person = newPerson({ levelKey: 'medical_student' })
      await new Visitor(world).join(person)
      const values = Object.fromEntries(
        FIELDS.map((field, index) => [
          field,
          `${"'".repeat(index)}${prefix}HYPERLINK("http://x","${person.username}")`,
        ]),
      )
      // As if stored by an older release or by hand: the forms reject most of these.
      await world.database.db.updateTable('account').set(values).where('emailKey', '=', person.email).execute()
      wanted.push(values)
    }
    const text = await exportOf(world)
    const rows = readCsv(text)
    const column = { firstName: 'firstName', lastName: 'lastName', username: 'username', email: 'email' }
    let exact = 0
    for (const values of wanted) {
      const found = rows.find((cells) => cells[rows[0]?.indexOf('username') ?? 0] === values['username'])
      for (const field of FIELDS) {
        const isExact = found?.[rows[0]?.indexOf(column[field]) ?? 0] === values[field]
        if (isExact) exact++
        faults.expect(isExact, 'not as it was', values[field])
      }
    }
    const cells = [...text.slice(1).matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell]) => cell ?? '')
    const run = cells.filter((cell) => PREFIXES.some((prefix) => cell.startsWith(prefix)))
    for (const cell of run) faults.add('a cell that is run', cell)
    // An unquoted cell has no prefix, so it must be a number.
    const bare = text
      .slice(1)
      .replaceAll(/"(?:[^"]|"")*"/g, '')
      .split(/[,\r\n]+/)
      .filter(Boolean)
    for (const cell of bare) faults.expect(/^-?\d+(\.\d+)?$/.test(cell), 'a bare cell that is no number', cell)
    return {
      passed: faults.count === 0 && PREFIXES.length === 12,
      reached: `${PREFIXES.length} prefixes in ${FIELDS.length} fields: ${exact} of ${PREFIXES.length * FIELDS.length} come back exactly, ${run.length} of ${cells.length} cells are run; faults: ${faults}`,
    }
  },
}

/** The output of `npm run admin -- members export`. */
async function exportOf(world: World): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'association-export-'))
  const file = join(folder, 'members.csv')
  const program = new Program(
    'src/server/admin.ts',
    { DATA_DIR: world.directory, DATABASE_URL: world.databaseUrl, STANDINS_URL: world.standinsUrl, LOG_LEVEL: 'warn' },
    { words: ['members', 'export', file] },
  )
  try {
    if ((await program.ended) !== 0) throw new Error(`members export ended badly: ${program.output}${program.errors}`)
    return readFileSync(file, 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

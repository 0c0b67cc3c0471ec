import { expect, test } from 'vitest'
import { MEMBER_COLUMNS, type ImportReport } from '#contract/console/import.ts'
import { writeCsv } from '#server/lib/csv/csv.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })

test('an import changes neither the importing officer nor any account with a role, and stops once the officer’s role has ended', async () => {
  const { db } = app().database
  const importer = await newOfficer(app(), ['membership'])
  const president = await newOfficer(app(), ['president'])
  for (const { browser } of [importer, president]) await recordSecondFactor(app(), browser)

  const rowOf = async (accountId: string, firstName: string) => {
    const { email, username } = await db
      .selectFrom('account')
      .select(['email', 'username'])
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    return [email, username, firstName, 'Rao', 'life_member', '2026-01-15', '']
  }
  async function faultsOf(rows: readonly (readonly string[])[], meanwhile = async () => {}): Promise<string> {
    const uploaded = await fetch(`${app().url}/api/console/member-import-file?filename=members.csv`, {
      method: 'POST',
      headers: { authorization: `Bearer ${importer.browser.token}`, 'content-type': 'application/octet-stream' },
      body: writeCsv([[...MEMBER_COLUMNS], ...rows]),
    })
    const { id } = (await uploaded.json()) as ImportReport
    await importer.browser.post(`/api/console/member-imports/${id}/confirm`, { sendsInvitations: false })
    await meanwhile()
    await app().drain()
    const found = await db.selectFrom('importRow').select('faults').where('fileId', '=', id).orderBy('line').execute()
    return found.map(({ faults }) => faults).join('\n')
  }

  const wrong = await faultsOf([await rowOf(importer.accountId, 'Gifted'), await rowOf(president.accountId, 'Renamed')])
  expect(wrong).toMatch(/Ask another officer to do this for your own account\..*\n.*Only an officer who manages roles/)

  const row = ['late@example.com', 'late', 'Late', 'Rao', 'life_member', '2026-01-15', '']
  // The import starts immediately: rows it reaches after the role ended are rejected.
  const before = Array.from({ length: 400 }, (_, index) => [
    `early${index}@example.com`,
    `early${index}`,
    'Early',
    'Rao',
    'life_member',
    '2026-01-15',
    '',
  ])
  const endRole = async () => {
    await db.updateTable('officerTerm').set({ endedAt: 1 }).where('accountId', '=', importer.accountId).execute()
  }
  expect(await faultsOf([...before, row], endRole)).toContain('Your role does not allow this.')
  const names = (await db.selectFrom('account').select('firstName').execute()).map(({ firstName: name }) => name)
  for (const name of ['Gifted', 'Renamed', 'Late']) expect(names).not.toContain(name)
})

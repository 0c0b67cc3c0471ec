import { expect, test } from 'vitest'
import type { RecordValue } from '#contract/member-record/record-values.ts'
import { createAccount } from '#server/features/accounts/account.commands.ts'
import { insertCurrentMembership } from '#server/features/memberships/membership.commands.ts'
import { useTestDatabase } from '#tests/support/use-test-database.ts'
import { ALL_MEMBERS, chosen, prepareList } from '../member-list.queries.ts'
import type { RecordCondition } from './record-filter.queries.ts'
import { BY_HAND } from '#server/features/memberships/membership.rules.ts'

const database = useTestDatabase()
const now = Date.parse('2026-06-01T12:00:00Z')

const home = { lines: ['1 "city":"Macon" Road'], city: 'Athens', region: 'GA', postalCode: '30601', country: 'US' }
const VALUES: Record<string, [field: string, value: RecordValue, audience?: 'owner']> = {
  meera: ['specialty', 'Cardiology'],
  nila: ['specialty', 'Pain, Acute'],
  hidden: ['specialty', 'Cardiology', 'owner'],
  polyglot: ['languages', ['Tamil', 'Hindi 100%']],
  careful: ['languages', ['Hindi 100x']],
  athenian: ['home', home],
  numbered: ['beds', 12],
  resident: ['program', 'Emory'],
  annual: ['program', 'Emory'],
}
const RESIDENTS: readonly string[] = ['resident', 'newcomer']

async function fill() {
  for (const name of [...Object.keys(VALUES), 'newcomer']) {
    const email = `${name}@example.com`
    const person = { id: name, username: name, email, passwordHash: '', firstName: name, lastName: 'X', createdAt: now }
    await createAccount(database(), person, now)
    await insertCurrentMembership(
      database(),
      {
        id: `m-${name}`,
        accountId: name,
        levelKey: RESIDENTS.includes(name) ? 'resident_fellow' : 'annual_member',
        kind: 'ONE_TIME',
        startedAt: now,
        endsAt: null,
        stripeSubscriptionId: null,
        ...BY_HAND,
      },
      now,
    )
    const [fieldKey, value, audience = 'officers'] = VALUES[name] ?? []
    if (fieldKey === undefined || value === undefined) continue
    await database()
      .insertInto('recordValue')
      .values({
        id: `v-${name}`,
        accountId: name,
        fieldKey,
        value: JSON.stringify(value),
        audience,
        changedAt: now,
        changedBy: name,
        confirmedOn: null,
      })
      .execute()
  }
}

const FIELDS: Record<string, NonNullable<RecordCondition['field']>> = {
  specialty: { key: 'specialty', kind: 'choice', levels: [] },
  languages: { key: 'languages', kind: 'choices', levels: [] },
  home: { key: 'home', kind: 'address', levels: [] },
  beds: { key: 'beds', kind: 'number', levels: [] },
  program: { key: 'program', kind: 'line', levels: ['resident_fellow'] },
}

test('a filter by a field finds whose value officers see, exactly and ignoring case', async () => {
  await fill()
  const cases: [field: string, values: string[], names: string[]][] = [
    ['specialty', ['Cardiology'], ['meera']],
    ['specialty', ['cardiology', 'Pain, Acute'], ['meera', 'nila']],
    ['specialty', ['Card'], []],
    ['specialty', [''], ['annual', 'athenian', 'careful', 'hidden', 'newcomer', 'numbered', 'polyglot', 'resident']],
    ['languages', ['Hindi 100%'], ['polyglot']],
    ['languages', ['Tamil","Hindi 100%'], []],
    ['home', ['athens'], ['athenian']],
    ['home', ['Macon'], []],
    ['beds', ['12'], ['numbered']],
    ['program', ['Emory'], ['resident']],
    ['program', ['', 'Emory'], ['newcomer', 'resident']],
    ['retired', ['x', ''], []],
  ]
  for (const [key, values, names] of cases) {
    const filter = { ...ALL_MEMBERS, record: [{ field: FIELDS[key] ?? null, values }] }
    const moment = { now, graceMs: 0 }
    await prepareList(database(), filter, moment)
    // An account's id is its username here.
    const found = await chosen(database(), filter, moment).select('listed.accountId').execute()
    expect([key, values, found.map(({ accountId }) => accountId).toSorted()]).toEqual([key, values, names])
  }
})

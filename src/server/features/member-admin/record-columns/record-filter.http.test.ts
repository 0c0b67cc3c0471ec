import { beforeEach, expect, test } from 'vitest'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { listMembers } from '#contract/console/member-list.ts'
import { readCsvRows } from '#server/lib/csv/csv.ts'
import { officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { lineField, publishFields } from '#tests/support/record-fields.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const SPECIALTY = lineField('specialty', { kind: 'choice', choices: ['Cardiology', 'Pain, Acute'] })
const HOME = lineField('home', { label: 'Postal address', kind: 'address' })
beforeEach(() => publishFields(app(), [SPECIALTY, HOME]))

const filtered = (record: string) => `record=${encodeURIComponent(record)}`

test('officers see, filter, count and export fields of the member record, and a retired field finds no one', async () => {
  const secretary = await officerWith(app(), ['secretary'])
  await recordSecondFactor(app(), secretary)
  const member = app().browser()
  const { person, start } = await member.registerAndStart()
  await member.verifySession(await member.pay(start.body.sessionUrl as string))
  await app().drain()
  const list = async (query: string) =>
    (await secretary.get(`/api/console/members?${query}`)).body as ReplyOf<typeof listMembers>
  const [{ id } = { id: '' }] = (await list(`q=${person.email}`)).members
  const { version } = (await secretary.get(`/api/console/members/${id}/record`)).body
  const saved = await secretary.call('PUT', `/api/console/members/${id}/record`, {
    values: {
      specialty: 'Pain, Acute',
      home: { lines: ['1 Elm St'], city: 'Macon', region: 'GA', postalCode: '31201', country: 'US' },
    },
    version,
  })
  expect(saved.status).toBe(200)

  const fields = 'fields=field:specialty,field:home.city,field:unknown'
  const found = await list(`${filtered('specialty=Pain%2C+Acute&home=macon')}&${fields}`)
  expect(found.members.map((one) => [one.id, one.record])).toEqual([
    [id, { 'field:specialty': 'Pain, Acute', 'field:home.city': 'Macon' }],
  ])
  expect(found.fields.map(({ key }) => key)).toEqual(['specialty', 'home'])
  expect(await list(filtered('specialty=Cardiology'))).toMatchObject({ members: [], total: 0 })
  const counts = await secretary.get(`/api/console/members/counts?${filtered('specialty=Pain%2C+Acute')}`)
  expect(Object.values(counts.body.status as Record<string, number>)).toEqual([1])

  const file = await fetch(
    `${app().url}/api/console/members/export?columns=field:home.city,email,field:gone&${filtered('home=Macon')}`,
    { headers: { authorization: `Bearer ${secretary.token}` } },
  )
  expect(readCsvRows(await file.text(), ',').map(({ cells }) => cells)).toEqual([
    ['Last name', 'First name', 'Postal address: city', 'Email'],
    [person.lastName, person.firstName, 'Macon', person.email],
  ])

  await publishFields(app(), [{ ...SPECIALTY, isRetired: true }, HOME])
  expect(await list(`${filtered('specialty=')}&${fields}`)).toMatchObject({ members: [], total: 0 })
  const bad = await secretary.get(`/api/console/members?${filtered('Not a key=x')}`)
  expect(bad.status).toBe(400)
})

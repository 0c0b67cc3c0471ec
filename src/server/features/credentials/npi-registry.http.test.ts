import { beforeAll, expect, test } from 'vitest'
import type { CredentialDeskLists } from '#contract/console/credentials.ts'
import { membershipLife } from '#tests/support/membership-life.ts'
import { officerWith } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const { join } = membershipLife(app)
const DESK = '/api/console/credentials'
const NPI = '1234567893'

let officer: TestBrowser
beforeAll(async () => {
  officer = await officerWith(app(), ['membership'])
})

async function claimOf(answers: object): Promise<{ id: string; name: string }> {
  const { browser, email } = await join()
  expect((await browser.call('PUT', '/api/account/credentials', answers)).status).toBe(200)
  const { waiting } = (await officer.get(DESK)).body as CredentialDeskLists
  const found = waiting.find((one) => one.email === email)
  if (!found) throw new Error('nothing waits')
  return found
}

test('the officer sees the record of the number beside the claim; the site asks for the number and nothing else', async () => {
  const { id, name } = await claimOf({ npi: NPI, licenceState: 'GA' })
  const [first = '', last = ''] = name.toUpperCase().split(' ')
  const basic = { first_name: first, last_name: last, credential: 'MD', status: 'A', last_updated: '2026-02-01' }
  const taxonomies = [{ desc: 'Psychiatry', state: 'SC', license: '0815', primary: true }]
  app().standins.npiRegistry.register({ number: NPI, basic, taxonomies })
  app().standins.npiRegistry.queries.length = 0
  expect((await officer.get(DESK)).body.hasRegistry).toBe(true)
  const { status, body } = await officer.get(`${DESK}/${id}/registry`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    record: { name: `${first} ${last}`, taxonomies: [{ name: 'Psychiatry', state: 'SC', license: '0815' }] },
    agrees: { name: true, state: false },
  })
  expect(app().standins.npiRegistry.queries).toEqual([`version=2.1&number=${NPI}`])
})

test.each(['error', 'refuse', 'reset', 'garbage', 'limited'] as const)(
  'a registry with the fault "%s" is reported in a sentence, and asked again at the next try',
  async (npi) => {
    const { id } = await claimOf({ npi: NPI, licenceState: 'GA' })
    await app().standins.control({ npi, times: 1 })
    const { status, body } = await officer.get(`${DESK}/${id}/registry`)
    expect(status).toBe(502)
    expect(body.message).toContain('The registry did not answer.')
    expect((await officer.get(`${DESK}/${id}/registry`)).status).toBe(200)
  },
)

test('only officers who decide look numbers up; an unknown claim has no record', async () => {
  const { id } = await claimOf({ npi: NPI, licenceState: 'GA' })
  const treasurer = await officerWith(app(), ['treasurer'])
  expect((await treasurer.get(`${DESK}/${id}/registry`)).status).toBe(403)
  expect((await officer.get(`${DESK}/unknown/registry`)).status).toBe(404)
})

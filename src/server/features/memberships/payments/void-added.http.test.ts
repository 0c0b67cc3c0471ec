import { beforeAll, expect, test } from 'vitest'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { memberPage, officerWithSecondFactor, type TestOfficer } from '#tests/support/second-officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
let president: TestOfficer

beforeAll(async () => {
  president = await officerWithSecondFactor(app(), 'president')
})

const reason = 'The bank returned it'

test.each([
  [-400, 'Early'],
  [-30, 'Lately'],
  [0, 'Today'],
])('voiding a check ends the membership added with it, started %i days from today', async (began, lastName) => {
  const today = dayOf(app().now(), app().config.timeZone)
  const person = { email: `bounced.${lastName}@example.com`, firstName: 'Bounced', lastName, levelKey: 'annual_member' }
  const term = { startedOn: addDays(today, began), endsOn: addDays(today, 500) }
  const check = { reference: `20${lastName.length}`, amount: '100', paidOn: today }
  const body = { ...person, ...term, ...check, paidBy: 'cheque', invites: false }
  const added = await president.browser.post('/api/console/members', body)
  expect([added.status, added.body.message]).toEqual([201, undefined])
  const id = added.body.id as string
  const before = await memberPage(president, id)
  const [first] = before.payments ?? []
  expect(first).toMatchObject({ ifReturned: 'ends' })

  const at = `/api/console/members/${id}/payments`
  const right = { ...check, reference: `30${lastName.length}`, method: 'cheque', levelKey: 'annual_member', reason }
  const corrected = await president.browser.post(`${at}/${first?.id}/correct`, { ...right, version: before.version })
  expect(corrected.status).toBe(200)
  const page = await memberPage(president, id)
  const replacement = page.payments?.find(({ voided }) => voided === null)
  expect(replacement).toMatchObject({ ifReturned: 'ends' })

  const canceled = await president.browser.post(`${at}/${replacement?.id}/void`, { reason, version: page.version })
  expect(canceled.body).toMatchObject({ state: 'CANCELED' })
})

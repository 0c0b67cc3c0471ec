import { expect, test } from 'vitest'
import { dayOf } from '#contract/dates/dates.ts'
import { hasManager } from './role-permissions.queries.ts'
import { newOfficer, OFFICER_PASSWORD, recordSecondFactor } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })

const remove = ({ browser }: Awaited<ReturnType<typeof newOfficer>>) =>
  browser.call('DELETE', '/api/account', { password: OFFICER_PASSWORD })
const today = () => dayOf(app().now(), app().config.timeZone)
const warnings = async () =>
  ((await app().app.http.inject({ url: '/readyz' })).json() as { warnings?: object[] }).warnings

test('the last president cannot delete the account, nor can the last two concurrently; a site without managers is reported', async () => {
  expect(JSON.stringify(await warnings())).not.toContain('No one can manage the officers')
  const pair = [await newOfficer(app(), ['president']), await newOfficer(app(), ['president', 'editor'])]
  const viewer = await newOfficer(app(), ['viewer'])
  expect((await remove(viewer)).status).toBe(200)

  const answers = await Promise.all(pair.map(remove))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const refused = answers.find(({ status }) => status === 409)
  expect(refused?.body).toMatchObject({
    code: 'LAST_PRESIDENT',
    message: expect.stringMatching(/^At least one officer must be able/),
  })
  expect(await hasManager(app().database.db, today())).toBe(true)

  const [last] = pair.filter((_, index) => answers[index]?.status === 409)
  if (!last) throw new Error('Both were deleted.')
  // A president whose account is closed does not count.
  await recordSecondFactor(app(), last.browser)
  const { terms } = (await last.browser.get('/api/console/officers')).body as {
    terms: { id: string; accountId: string; role: string }[]
  }
  const own = terms.find(({ accountId, role }) => accountId === last.accountId && role === 'president')
  expect((await last.browser.call('DELETE', `/api/console/officers/${own?.id}`)).body.code).toBe('LAST_PRESIDENT')

  await app()
    .database.db.updateTable('officerTerm')
    .set({ endedAt: 1 })
    .where('accountId', '=', last.accountId)
    .execute()
  expect(JSON.stringify(await warnings())).toContain('No one can manage the officers')
})

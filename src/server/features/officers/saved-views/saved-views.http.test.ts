import { expect, test } from 'vitest'
import { OWN_VIEWS_MAX } from '#contract/console/people/saved-views.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })

async function officer(role: 'president' | 'secretary' | 'viewer') {
  const { browser } = await newOfficer(app(), [role])
  await recordSecondFactor(app(), browser)
  const list = async (name = 'members') =>
    (await browser.get(`/api/console/views?list=${name}`)).body.views as { id: string; name: string }[]
  const save = (name: string, query: string, isShared = false) =>
    browser.post('/api/console/views', { list: 'members', name, query, isShared })
  const drop = (id: string) => browser.call('DELETE', `/api/console/views/${id}`)
  return { list, save, drop }
}

test('a view is saved by name for one officer and one list', async () => {
  const [one, other] = [await officer('secretary'), await officer('viewer')]
  await one.save('Ending', 'ending=30')
  expect((await one.save('Ending', 'ending=60')).body.views).toMatchObject([
    { name: 'Ending', query: 'ending=60', isShared: false, by: null, mayDelete: true },
  ])
  expect(await one.list('payments')).toEqual([])
  expect(await other.list()).toEqual([])
  const [view] = await one.list()
  expect((await other.drop(view?.id ?? '')).status).toBe(404)
  expect((await one.drop(view?.id ?? '')).body.views).toEqual([])
})

test('a shared view is seen by all, and deleted by its officer or a president', async () => {
  const [one, other, president] = [await officer('secretary'), await officer('viewer'), await officer('president')]
  await one.save('Lapsed', 'status=EXPIRED', true)
  const seen = await other.list()
  expect(seen).toMatchObject([{ name: 'Lapsed', isShared: true, by: expect.any(String), mayDelete: false }])
  expect((await other.drop(seen[0]?.id ?? '')).status).toBe(404)
  expect((await president.drop(seen[0]?.id ?? '')).status).toBe(200)
  expect(await one.list()).toEqual([])
})

test('there is a limit, which does not stop replacing a view', async () => {
  const one = await officer('secretary')
  for (let index = 0; index < OWN_VIEWS_MAX; index++) expect((await one.save(`View ${index}`, 'q=a')).status).toBe(201)
  expect((await one.save('One more', 'q=b')).body.code).toBe('VIEWS_FULL')
  expect((await one.save('View 3', 'q=b')).status).toBe(201)
  expect((await one.save('x'.repeat(61), 'q=b')).status).toBe(400)
})

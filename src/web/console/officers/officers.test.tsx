import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { OfficerTerm } from '#contract/console.ts'
import { refusal, tokenFor, useFakeApi } from '#web/api/fake-api.ts'
import { renderPage } from '#web/pages/render-page.tsx'
import OfficersPage from './officers.tsx'

const api = useFakeApi()
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const term: OfficerTerm = {
  id: 't1',
  accountId: 'm1',
  name: 'Asha Iyer',
  email: 'asha@example.com',
  role: 'editor',
  startsOn: '2026-01-01',
  endsOn: '2026-12-31',
  state: 'now',
  hasSecondFactor: true,
}
const LIST = 'GET /api/console/officers'
const END = 'DELETE /api/console/officers/t1'

async function endTheTerm() {
  const { person } = renderPage(OfficersPage, { at: '/console/officers' })
  await person.click(await screen.findByRole('button', { name: /^End/ }))
  await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'End the term' }))
}

test('whoever ends a role sees what that person had scheduled, each with its page', async () => {
  const held = [{ title: 'Spring gala', path: '/console/content/news/spring-gala', at: '2026-12-01T13:00:00.000Z' }]
  api.current.on(LIST, { body: { terms: [term], mayChange: true } })
  api.current.on(END, { body: { terms: [{ ...term, state: 'over' }], mayChange: true, held } })
  await endTheTerm()
  await screen.findByText('What this person had scheduled was held')
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Spring gala' })
  expect(link.getAttribute('href')).toBe('/console/content/news/spring-gala')
})

test('nothing is said of held things where there are none; a refusal is a sentence', async () => {
  api.current.on(LIST, { body: { terms: [term], mayChange: true } })
  const sentence = 'Somebody must be able to manage the officers.'
  api.current.on(END, refusal(409, 'LAST_PRESIDENT', sentence))
  await endTheTerm()
  await screen.findByText(sentence)
  expect(screen.queryByText(/was held/)).toBeNull()
})

import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { OfficerTerm } from '#contract/console/console.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
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
  await person.click(await screen.findByRole('button', { name: /^Remove role/ }))
  await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove role' }))
}

test('removing a role lists what that officer had scheduled, with links', async () => {
  const held = [{ title: 'Spring gala', path: '/console/content/news/spring-gala', at: '2026-12-01T13:00:00.000Z' }]
  api.current.on(LIST, { body: { terms: [term], mayChange: true } })
  api.current.on(END, { body: { terms: [{ ...term, state: 'over' }], mayChange: true, held } })
  await endTheTerm()
  await screen.findByText('Scheduled items on hold')
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Spring gala' })
  expect(link.getAttribute('href')).toBe('/console/content/news/spring-gala')
})

test('no hold banner without held items; an error is shown', async () => {
  api.current.on(LIST, { body: { terms: [term], mayChange: true } })
  const sentence = 'At least one officer must be able to manage roles.'
  api.current.on(END, errorResponse(409, 'LAST_PRESIDENT', sentence))
  await endTheTerm()
  await screen.findByText(sentence)
  expect(screen.queryByText(/was held/)).toBeNull()
})

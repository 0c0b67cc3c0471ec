import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { errorResponse } from '#tests/support/web/fake-api.ts'
import { openAccount, renderAccount, useMembersApi } from '#tests/support/web/account-test-helpers.tsx'

const api = useMembersApi()
const EMAILS = 'GET /api/account/emails'
const SET = 'PUT /api/account/emails/newsletter'
const at = '2026-11-18T15:00:00.000Z'

const newsletter = () => screen.getByRole<HTMLInputElement>('switch', { name: /^Newsletter/ })

test('the newsletter is switched on by a confirmation, and off at once', async () => {
  api.current.on(EMAILS, { body: { newsletter: 'off', topics: [], recent: [] } })
  api.current.on(SET, { body: { newsletter: 'pending' } }, { body: { newsletter: 'off' } })
  const person = await openAccount('emails', 'What we send you')
  expect(newsletter().checked).toBe(false)
  await person.click(newsletter())
  await screen.findByText(/^Check your email to confirm!/)
  expect(newsletter().checked).toBe(true)
  await person.click(newsletter())
  await screen.findByText('You have been unsubscribed from the newsletter.')
  expect(newsletter().checked).toBe(false)
  expect(api.current.requestsTo(SET).map(({ body }) => body)).toEqual([{ isWanted: true }, { isWanted: false }])
})

test('a failed change keeps the switch and says so', async () => {
  api.current.on(EMAILS, { body: { newsletter: 'subscribed', topics: [], recent: [] } })
  api.current.on(SET, { status: 500 })
  const person = await openAccount('emails', 'What we send you')
  await person.click(newsletter())
  expect((await screen.findByRole('alert')).textContent).toBe('Failed to change your emails. Please try again.')
  expect(newsletter().checked).toBe(true)
})

test('each topic of emails to members is switched by itself', async () => {
  const topics = (news: boolean, offers: boolean) => [
    { topic: 'news', name: 'News for members', about: 'What the association does.', isWanted: news },
    { topic: 'offers', name: 'Offers', about: 'Advertisements.', isWanted: offers },
  ]
  api.current.on(EMAILS, { body: { newsletter: 'off', topics: topics(true, false), recent: [] } })
  api.current.on('PUT /api/account/emails/topics', { body: { topics: topics(false, false) } }, { status: 500 })
  const person = await openAccount('emails', 'What we send you')
  const topic = (name: RegExp) => screen.getByRole<HTMLInputElement>('switch', { name })
  await person.click(topic(/^News for members/))
  await waitFor(() => expect(topic(/^News for members/).checked).toBe(false))
  await person.click(topic(/^Offers/))
  await screen.findByRole('alert')
  expect(topic(/^Offers/).checked).toBe(false)
  expect(api.current.requestsTo('PUT /api/account/emails/topics').map(({ body }) => body)).toEqual([
    { topic: 'news', isWanted: false },
    { topic: 'offers', isWanted: true },
  ])
})

test('lists emails with their state', async () => {
  const recent = [
    { what: 'Clinic days this winter', isNewsletter: true, at, state: 'bounced' },
    { what: 'Receipt', isNewsletter: false, at, state: 'sent' },
  ]
  api.current.on(EMAILS, { body: { newsletter: 'bounced', topics: [], recent } })
  await openAccount('emails', 'Recent emails')
  const [first, second] = screen.getAllByText(/November 18, 2026/)
  expect([first?.textContent, second?.textContent]).toEqual(['November 18, 2026, newsletter', 'November 18, 2026'])
  for (const text of ['Bounced', 'Sent', /^Newsletters to your address bounced/]) screen.getByText(text)
})

test('that cannot be loaded can be retried', async () => {
  api.current.on(EMAILS, errorResponse(500, 'INTERNAL', 'x'), { body: { newsletter: 'off', topics: [], recent: [] } })
  const { person } = renderAccount('/auth/account/emails')
  await person.click(await screen.findByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(newsletter().checked).toBe(false))
})

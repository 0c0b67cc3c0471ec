import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { saveByKey } from '#tests/support/web/console-test-helpers.tsx'
import type { EventEmails } from '#contract/console/events/events.ts'
import { eventHead } from '#tests/support/web/event-head.ts'
import { tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import EventEmailsPage from './event-emails.tsx'

const api = useFakeApi()
const EMAILS = '/api/console/events/gala/emails'
const none = { parties: 0, persons: 0, unreachable: 0 }
const emails: EventEmails = {
  notes: { confirmation: '', reminder: '', version: 3 },
  reach: { coming: { parties: 2, persons: 5, unreachable: 1 }, paying: none, waiting: none, arrived: none },
  reminderAt: '2030-12-17T23:30:00.000Z',
  reminded: 0,
  messages: [],
}

beforeEach(() => {
  localStorage.setItem('token', tokenFor(3_600))
  api.current.on('GET /api/console/events/gala', { body: eventHead }).on(`GET ${EMAILS}`, { body: emails })
})
const open = () => renderPage(() => <EventEmailsPage id="gala" />, { at: '/console/rsvp/gala/emails' })

test('a message is previewed with its reach, kept until it is sent, and sent under one id', async () => {
  const first = open()
  await first.person.click(await screen.findByRole('button', { name: 'Email guests' }))
  screen.getByLabelText('Coming: 2 parties, 5 people, and 1 without an address')
  await first.person.type(screen.getByLabelText('Subject'), 'Parking')
  await first.person.type(screen.getByLabelText('Message'), 'Behind the hall.')
  first.unmount()

  const { person } = open()
  await person.click(await screen.findByRole('button', { name: 'Email guests' }))
  expect(screen.getByLabelText<HTMLInputElement>('Subject').value).toBe('Parking')
  api.current.on(`POST ${EMAILS}/preview`, {
    body: { reach: emails.reach.coming, subject: 'Parking', html: '<p>Behind the hall.</p>', text: '' },
  })
  await person.click(screen.getByRole('button', { name: 'Preview and send' }))
  const dialog = await screen.findByRole('dialog', { name: 'Send to 2 parties?' })
  expect(api.current.requestsTo(`POST ${EMAILS}`)).toEqual([])
  const message = {
    id: 'm1',
    subject: 'Parking',
    text: 'Behind the hall.',
    audiences: ['coming' as const],
    sentAt: '2030-12-01T15:00:00.000Z',
    by: 'Meera',
    parties: 2,
    accepted: 2,
  }
  api.current.on(`POST ${EMAILS}`, 'no network', { status: 201, body: { ...emails, messages: [message] } })
  const send = within(dialog).getByRole('button', { name: 'Send to 2 parties' })
  await person.click(send)
  await within(dialog).findByRole('alert')
  await person.click(send)
  await screen.findByText('2 sent')
  const [one, other] = api.current.requestsTo(`POST ${EMAILS}`).map(({ body }) => body as { id: string })
  expect(one).toMatchObject({ subject: 'Parking', audiences: ['coming'] })
  expect(other?.id).toBe(one?.id)
  expect(Object.keys(localStorage).filter((key) => key.includes('guest-message'))).toEqual([])
})

test('the notes of an event are saved with the version that was shown', async () => {
  const saved = { ...emails, notes: { confirmation: 'Gate 4.', reminder: '', version: 4 } }
  api.current.on(`PUT ${EMAILS}/notes`, { body: saved })
  const { person } = open()
  await person.type(await screen.findByLabelText('Also in the confirmation'), 'Gate 4.')
  await saveByKey(person)
  await waitFor(() =>
    expect(api.current.requestsTo(`PUT ${EMAILS}/notes`)[0]?.body).toEqual({
      confirmation: 'Gate 4.',
      reminder: '',
      version: 3,
    }),
  )
})

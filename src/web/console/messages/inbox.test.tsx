import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { MessageDetail } from '#contract/console/messages.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import MessageTemplatesPage from './message-templates.tsx'
import InboxPage from './inbox.tsx'

const api = useFakeApi()
const INBOX = '/api/console/messages'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const message: MessageDetail = {
  id: 'm1',
  name: 'Leela Varghese',
  email: 'leela@example.com',
  subject: 'Clinic day',
  receivedAt: '2030-03-02T15:04:05.000Z',
  dueAt: '2030-03-04T15:04:05.000Z',
  hoursLeft: -3,
  state: 'open',
  answeredAt: null,
  assignee: null,
  message: 'When is it?\nAnd where?',
  excerpt: 'When is it? And where?',
  answers: [],
  notes: [],
  memberId: null,
  officers: [{ accountId: 'a1', name: 'Meera Raghuvanshi' }],
  version: 4,
}
const counts = { open: 1, mine: 0, unassigned: 1, answered: 7, spam: 0 }
const listed = { body: { messages: [message], counts, hasMore: false } }

test('the inbox says how late an answer is, and an empty list says so', async () => {
  api.current.on(`GET ${INBOX}`, { body: { messages: [message], counts, hasMore: false } })
  const { person } = renderPage(InboxPage, { at: '/console/messages' })
  const entry = (await screen.findByRole('link', { name: /Clinic day/ })).closest('li') as HTMLElement
  within(entry).getByText('3 hours late')
  api.current.on(`GET ${INBOX}`, { body: { messages: [], counts, hasMore: false } })
  await person.click(screen.getByRole('link', { name: /^Spam/ }))
  await screen.findByText('No spam. It is deleted after 30 days.')
  expect(api.current.sent.at(-1)?.query).toEqual({ state: 'spam', page: '1' })
})

test('what is listed stands in the address: a link from today and a reload show the same', async () => {
  api.current.on(`GET ${INBOX}`, { body: { messages: [message], counts, hasMore: true } })
  const { person } = renderPage(InboxPage, { at: '/console/messages?state=answered&q=clinic' })
  await screen.findByRole('link', { name: /Clinic day/ })
  expect(api.current.sent.at(-1)?.query).toEqual({ state: 'answered', q: 'clinic', page: '1' })
  expect(screen.getByLabelText<HTMLInputElement>('Search names, addresses and text').value).toBe('clinic')
  await person.click(screen.getByRole('button', { name: 'Next' }))
  await screen.findByText('Page 2')
  expect(api.current.sent.at(-1)?.query).toEqual({ state: 'answered', q: 'clinic', page: '2' })
})

test('an answer that could not be sent stays in the form and in the browser, and is gone once it was', async () => {
  api.current.on(`GET ${INBOX}/m1`, { body: message })
  api.current.on(`GET ${INBOX}`, listed)
  api.current.on('GET /api/console/message-templates', {
    body: { templates: [{ id: 't1', name: 'Clinic', text: 'It is on Sunday.', version: 1 }] },
  })
  const answers = `POST ${INBOX}/m1/answers`
  const page = () => renderPage(() => <InboxPage id="m1" />, { at: '/console/messages/m1' })
  const first = page()
  await first.person.selectOptions(await screen.findByLabelText('Start from a template'), 'Clinic')
  await first.person.type(screen.getByLabelText('Your reply'), ' Please come.')
  api.current.on(answers, 'no network')
  await first.person.click(screen.getByRole('button', { name: 'Send reply' }))
  await screen.findByText(/We couldn’t reach the site/)
  first.unmount()

  const { person } = page()
  await screen.findByText('We restored your unsaved draft.')
  const field = screen.getByLabelText<HTMLTextAreaElement>('Your reply')
  expect(field.value).toBe('It is on Sunday. Please come.')
  api.current.on(answers, errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this in the meantime.'))
  const assignee = { accountId: 'a1', name: 'Meera Raghuvanshi' }
  api.current.on(`GET ${INBOX}/m1`, { body: { ...message, assignee, version: 6 } })
  await person.click(screen.getByRole('button', { name: 'Send reply' }))
  await screen.findByText('Someone else changed this in the meantime.')
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Assignee').value).toBe('a1'))
  const answer = { id: 'n1', text: field.value, by: 'Meera', sentAt: message.receivedAt, mailedAt: null }
  api.current.on(answers, { status: 201, body: { ...message, state: 'answered', version: 7, answers: [answer] } })
  await person.click(screen.getByRole('button', { name: 'Send reply' }))
  await screen.findByText('Your reply is on its way to Leela Varghese.')
  expect(api.current.requestsTo(answers).at(-1)?.body).toEqual({ text: answer.text, version: 6 })
  expect(field.value).toBe('')
  expect(Object.keys(localStorage).filter((key) => key.startsWith('console-draft'))).toEqual([])
})

test('a reply kept by an earlier release is restored', async () => {
  localStorage.setItem('console-draft:answer:m1', '"Please come."')
  api.current.on(`GET ${INBOX}/m1`, { body: message })
  api.current.on(`GET ${INBOX}`, listed)
  api.current.on('GET /api/console/message-templates', { body: { templates: [] } })
  renderPage(() => <InboxPage id="m1" />, { at: '/console/messages/m1' })
  await screen.findByText('We restored your unsaved draft.')
  expect(screen.getByLabelText<HTMLTextAreaElement>('Your reply').value).toBe('Please come.')
})

test('a template changed by another officer is overwritten only after its newer version was shown', async () => {
  const path = '/api/console/message-templates'
  const template = { id: 't1', name: 'Clinic', text: 'It is on Sunday.', version: 1 }
  const theirs = { ...template, name: 'Clinic day', text: 'It is on Monday.', version: 2 }
  api.current
    .on(`GET ${path}`, { body: { templates: [template] } }, { body: { templates: [theirs] } })
    .on(`PUT ${path}/t1`, errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this in the meantime.'))
  const { person } = renderPage(MessageTemplatesPage, { at: '/console/message-templates' })
  await person.click(await screen.findByRole('button', { name: 'Edit Clinic' }))
  await person.type(await screen.findByLabelText('Text'), ' Come.')
  await person.click(screen.getByRole('button', { name: 'Save' }))
  // Untouched fields follow the newer version; edited ones show a conflict.
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Clinic day'))
  within(screen.getByRole('group', { name: 'Newer version' })).getByText('It is on Monday.')
  const reply = screen.getByLabelText<HTMLTextAreaElement>('Text').value
  expect(reply).toBe('It is on Sunday. Come.')
  api.current.on(`PUT ${path}/t1`, { body: { templates: [{ ...theirs, text: reply, version: 3 }] } })
  await person.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('It is on Sunday. Come.', { selector: '.preformatted' })
  expect(api.current.requestsTo(`PUT ${path}/t1`)[1]?.body).toEqual({ name: 'Clinic day', text: reply, version: 2 })
})

test('a template draft is shown next to what another officer saved since', async () => {
  const path = '/api/console/message-templates'
  const template = { id: 't1', name: 'Clinic', text: 'It is on Sunday.', version: 1 }
  api.current.on(`GET ${path}`, { body: { templates: [template] } })
  const first = renderPage(MessageTemplatesPage, { at: '/console/message-templates' })
  await first.person.click(await screen.findByRole('button', { name: 'Edit Clinic' }))
  await first.person.type(await screen.findByLabelText('Text'), ' Come.')
  await first.person.keyboard('{Escape}')
  first.unmount()

  const theirs = { ...template, name: 'Clinic day', text: 'It is on Monday.', version: 2 }
  api.current.on(`GET ${path}`, { body: { templates: [theirs] } })
  const { person } = renderPage(MessageTemplatesPage, { at: '/console/message-templates' })
  await person.click(await screen.findByRole('button', { name: 'Edit Clinic day' }))
  expect((await screen.findByLabelText<HTMLInputElement>('Name')).value).toBe('Clinic day')
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('It is on Sunday. Come.')
  within(screen.getByRole('group', { name: 'Newer version' })).getByText('It is on Monday.')
})

test('a note is for officers, and e closes the message, which can be undone', async () => {
  const templates = { body: { templates: [] } }
  api.current.on(`GET ${INBOX}`, listed).on(`GET ${INBOX}/m1`, { body: message })
  api.current.on('GET /api/console/message-templates', templates)
  const { person } = renderPage(() => <InboxPage id="m1" />, { at: '/console/messages/m1?state=mine' })
  await person.click(await screen.findByRole('button', { name: 'Note' }))
  await person.type(screen.getByLabelText('Note'), 'Two tables are free.')
  const note = { id: 'n1', text: 'Two tables are free.', by: 'Meera', at: '2030-03-03T15:04:05.000Z' }
  api.current.on(`POST ${INBOX}/m1/notes`, { status: 201, body: { ...message, notes: [note] } })
  await person.click(screen.getByRole('button', { name: 'Add note' }))
  await screen.findByText('Note for officers')
  expect(api.current.requestsTo(`POST ${INBOX}/m1/notes`)[0]?.body).toEqual({ text: note.text })

  api.current.on(`PUT ${INBOX}/m1/state`, { body: { ...message, state: 'answered', version: 5 } })
  ;(document.activeElement as HTMLElement).blur()
  await person.keyboard('e')
  await waitFor(() =>
    expect(api.current.requestsTo(`PUT ${INBOX}/m1/state`).at(-1)?.body).toEqual({ state: 'answered', version: 4 }),
  )
  expect(api.current.requestsTo(`GET ${INBOX}`)[0]?.query).toEqual({ state: 'open', assignee: 'me', page: '1' })
})

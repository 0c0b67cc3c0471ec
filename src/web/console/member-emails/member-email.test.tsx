import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { MemberEmailDetail } from '#contract/console/emails/member-emails.ts'
import { saveByKey } from '#tests/support/web/console-test-helpers.tsx'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import { CurrentOfficer } from '../shell/current-officer.ts'
import type { Officer } from '../shell/use-officer.ts'
import MemberEmailPage from './member-email.tsx'

const api = useFakeApi()
const PATH = '/api/console/member-emails/e1'
const TOPICS = {
  topics: [
    { key: 'notice', name: 'Member notice' },
    { key: 'news', name: 'News for members' },
    { key: 'volunteers', name: 'Volunteers' },
  ],
}
beforeEach(() => {
  localStorage.setItem('token', tokenFor(3_600))
  api.current.on('GET /api/console/member-email-topics', { body: TOPICS })
})

const draft: MemberEmailDetail = {
  id: 'e1',
  name: 'Annual meeting',
  subject: 'Notice of the annual meeting',
  snippet: 'Please come.',
  state: 'draft',
  updatedAt: '2030-03-02T15:04:05.000Z',
  sentAt: null,
  scheduledFor: null,
  blocks: [{ kind: 'text', markdown: 'At noon.' }],
  version: 3,
  results: null,
  refused: null,
  mailing: null,
  choices: { events: [], news: [] },
  topicName: 'Member notice',
  topic: 'notice',
  audience: { filter: { status: 'ACTIVE' } },
  audienceText: 'Status: Active',
  meetingOn: '2030-05-06',
  meetingKind: 'annual',
  windowReason: null,
  window: {
    meetingOn: '2030-05-06',
    meetingKind: 'annual',
    opensOn: '2030-03-07',
    closesOn: '2030-04-06',
    minDays: 30,
    maxDays: 60,
  },
  reach: {
    total: 815,
    email: 790,
    post: 20,
    barred: 0,
    leftOut: 5,
    reasons: [
      { way: 'post', reason: 'bounced', count: 20 },
      { way: 'left-out', reason: 'no-email', count: 5 },
    ],
  },
  post: null,
  sealedAt: null,
  mayNotify: true,
}
const mailing = {
  recipients: 790,
  accepted: 780,
  waiting: 0,
  bounced: 10,
  failed: 0,
  uncertain: 0,
  skipped: 0,
  lastError: null,
}
const sent: MemberEmailDetail = {
  ...draft,
  state: 'finished',
  mailing,
  post: { waiting: 2, posted: 28, unreached: 1 },
}
const officer = { permissions: ['members.email', 'members.notify', 'members.look'] } as Officer

function open(email: MemberEmailDetail, by: Officer = officer) {
  const views = [
    {
      id: 'v1',
      name: 'Life members',
      query: 'level=life',
      list: 'members',
      isShared: true,
      mayDelete: false,
      by: null,
    },
  ]
  api.current
    .on(`GET ${PATH}`, { body: email })
    .on(`GET ${PATH}/preview`, {
      body: { subject: email.subject, path: 'about:blank', html: '<p>At noon.</p>', text: '' },
    })
    .on('GET /api/console/views', { body: { views } })
  return renderPage(
    () => (
      <CurrentOfficer value={by}>
        <MemberEmailPage id="e1" />
      </CurrentOfficer>
    ),
    { at: '/console/member-emails/e1' },
  )
}

test('shows before sending whom it reaches: the ways add up to the list', async () => {
  open(draft)
  await screen.findByRole('heading', { name: 'Who gets it' })
  const terms = screen.getAllByRole('term').map((term) => term.textContent)
  const numbers = screen.getAllByRole('definition').map((one) => Number(one.textContent))
  expect(terms).toEqual([
    'By email',
    'By postEmails to the address bounced (20)',
    'Left outNo email address (5)',
    'On the list',
  ])
  expect(numbers.at(-1)).toBe(numbers.slice(0, -1).reduce((sum, one) => sum + one))
  expect(screen.getByText(/Send this notice from/).textContent).toMatch(/March 7, 2030 to April 6, 2030/)
})

test('another list and kind are saved, and sending asks once more with the number of members', async () => {
  const { person } = open(draft)
  await person.selectOptions(await screen.findByLabelText('Send to'), 'Life members')
  await person.selectOptions(screen.getByLabelText('Kind of email'), 'News for members')
  expect(screen.queryByLabelText(/Day of the meeting/)).toBeNull()
  const saved = { ...draft, version: 4, topic: 'news' as const, audience: { filter: { level: 'life' } } }
  api.current.on(`PUT ${PATH}`, { body: saved })
  await saveByKey(person)
  await screen.findByText('All changes saved.')
  expect(api.current.sent.findLast(({ method }) => method === 'PUT')?.body).toMatchObject({
    topic: 'news',
    audience: { filter: { level: 'life' } },
  })
  await person.click(screen.getByRole('button', { name: 'Send now' }))
  const dialog = await screen.findByRole('dialog', { name: 'Send to 810 members?' })
  api.current.on(`POST ${PATH}/send`, errorResponse(409, 'NOTICE_OUTSIDE_WINDOW', 'This is outside the time.'))
  await person.click(within(dialog).getByRole('button', { name: 'Send' }))
  await screen.findByText('This is outside the time.')
})

test('afterwards what waits to be posted is marked as posted, and the proof is sealed', async () => {
  const { person } = open(sent)
  await screen.findByText(/2 letters to post\. 28 letters posted\. 1 person cannot be reached/)
  api.current.on(`POST ${PATH}/posted`, { body: { ...sent, post: { waiting: 0, posted: 30, unreached: 1 } } })
  await person.click(screen.getByRole('button', { name: 'Mark all 2 as posted' }))
  await screen.findByText(/Nothing waits to be posted/)
  expect(api.current.sent.findLast(({ path }) => path.endsWith('/posted'))?.body).toMatchObject({ count: 2 })
  api.current.on(`POST ${PATH}/proof`, { body: { ...sent, sealedAt: '2030-05-01T15:00:00.000Z' } })
  await person.click(screen.getByRole('button', { name: 'Seal the proof' }))
  await screen.findByRole('button', { name: 'Proof (PDF)' })
  screen.getByRole('button', { name: 'List of recipients (CSV)' })
})

test('an editor sees numbers and open views only, and cannot send a notice', async () => {
  const { person } = open({ ...draft, mayNotify: false }, { permissions: ['members.email'] } as Officer)
  await screen.findByText('Your role does not allow sending notices.')
  expect(screen.queryByRole('button', { name: 'Send now' })).toBeNull()
  const views = within(screen.getByLabelText('Send to')).getAllByRole('option')
  expect(views.map((view) => view.textContent)).toEqual([
    'Everyone on the list of members',
    'Active',
    'Payment failed',
    'Lapsed',
  ])
  await waitFor(() => expect(api.current.requestsTo('GET /api/console/views')).toEqual([]))
  await person.keyboard('{Escape}')
})

test('a newer version of another officer is loaded, and overwritten only once the officer says so', async () => {
  const { person } = open(draft)
  await person.type(await screen.findByLabelText('Subject'), '!')
  api.current
    .on(`GET ${PATH}`, { body: { ...draft, version: 4, snippet: 'Please come early.' } })
    .on(`PUT ${PATH}`, errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this in the meantime.'))
  await saveByKey(person)
  await screen.findByRole('button', { name: 'Keep my version' })
  screen.getByText(/^Not saved: another officer saved a newer version/)
  expect(screen.getByLabelText<HTMLInputElement>('Subject').value).toBe(`${draft.subject}!`)
})

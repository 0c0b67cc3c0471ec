import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import NewMemberPage from './member-new.tsx'

const api = useFakeApi()
const FORM = 'GET /api/console/member-form'
const ADD = 'POST /api/console/members'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const found = {
  levels: [
    {
      key: 'annual_member',
      name: 'Annual Member',
      isLifetime: false,
      unitAmount: 10_000,
      interval: 'year',
      intervalCount: 1,
    },
    {
      key: 'life_member',
      name: 'Life Member',
      isLifetime: true,
      unitAmount: 100_000,
      interval: null,
      intervalCount: 1,
    },
  ],
  today: '2026-11-02',
  mayRecordPayments: true,
}
const render = () => renderPage(NewMemberPage, { at: '/console/members/new' })

async function fillName(person: ReturnType<typeof render>['person']) {
  await person.type(await screen.findByLabelText('First name'), 'Leela')
  await person.type(screen.getByLabelText('Last name'), 'Iyer')
  await person.type(screen.getByLabelText('Email'), 'leela@example.com')
}
const press = (person: ReturnType<typeof render>['person']) =>
  person.click(screen.getByRole('button', { name: 'Add member' }))

test('the term is suggested, a check asks for its own fields, and a namesake has to be confirmed', async () => {
  const sentence = 'This may be someone who already has an account: Leela Iyer, l@example.com (the same name).'
  api.current
    .on(FORM, { body: found })
    .on(ADD, errorResponse(400, 'INVALID_INPUT', sentence, { isSomebodyElse: sentence }), {
      status: 201,
      body: { id: 'm9' },
    })
  const { person } = render()
  await fillName(person)
  expect(screen.getByLabelText('Last day')).toHaveProperty('value', '2027-11-02')
  await person.selectOptions(screen.getByLabelText('Paid by'), 'cheque')
  expect(screen.queryByLabelText(/Reason for the audit log/)).toBeNull()
  expect(screen.getByLabelText('Amount ($)')).toHaveProperty('value', '100')
  await press(person)
  await screen.findAllByText('Please enter the check number, or a reference for the cash')
  expect(api.current.requestsTo(ADD)).toEqual([])
  await person.type(screen.getByLabelText('Reference'), '1042')
  await press(person)
  await screen.findAllByText(sentence)
  await person.click(screen.getByLabelText('This is a different person. Add anyway'))
  await press(person)
  await waitFor(() => expect(api.current.requestsTo(ADD)).toHaveLength(2))
  expect(api.current.requestsTo(ADD)[1]?.body).toEqual({
    email: 'leela@example.com',
    firstName: 'Leela',
    lastName: 'Iyer',
    levelKey: 'annual_member',
    startedOn: '2026-11-02',
    endsOn: '2027-11-02',
    paidBy: 'cheque',
    reference: '1042',
    amount: '100',
    paidOn: '2026-11-02',
    invites: true,
    isSomebodyElse: true,
  })
})

test('a lifetime level has no last day, and a role without payments offers no payment method', async () => {
  api.current.on(FORM, { body: { ...found, mayRecordPayments: false } }).on(ADD, { status: 201, body: { id: 'm9' } })
  const { person } = render()
  await fillName(person)
  await person.selectOptions(screen.getByLabelText('Level'), 'life_member')
  expect(screen.queryByLabelText('Last day')).toBeNull()
  expect(screen.getByLabelText('Paid by').querySelectorAll('option')).toHaveLength(1)
  await press(person)
  await screen.findAllByText('Please give a reason for the audit log')
  await person.type(screen.getByLabelText(/Reason for the audit log/), 'Past president')
  await person.click(screen.getByLabelText('Send an email with a link to choose a password'))
  await press(person)
  await waitFor(() => expect(api.current.requestsTo(ADD)).toHaveLength(1))
  expect(api.current.requestsTo(ADD)[0]?.body).toMatchObject({
    paidBy: 'free',
    reason: 'Past president',
    invites: false,
  })
  expect(api.current.requestsTo(ADD)[0]?.body).not.toHaveProperty('endsOn')
})

test('what was typed outlives a lost network and a closed tab', async () => {
  api.current.on(FORM, { body: found }).on(ADD, 'no network')
  const { person, unmount } = render()
  await fillName(person)
  await person.type(screen.getByLabelText(/Reason for the audit log/), 'Honored')
  await press(person)
  await screen.findByText(/your input is kept/)
  unmount()
  render()
  expect(await screen.findByLabelText('First name')).toHaveProperty('value', 'Leela')
  await waitFor(() => expect(screen.getByLabelText(/Reason for the audit log/)).toHaveProperty('value', 'Honored'))
})

test('a restored first day suggests its own last day', async () => {
  localStorage.setItem(
    'console-draft:new-member',
    JSON.stringify({ startedOn: { value: '2026-05-01', on: '2026-11-02' } }),
  )
  api.current.on(FORM, { body: found })
  render()
  await screen.findByText('We restored your unsaved draft.')
  expect(screen.getByLabelText('First day')).toHaveProperty('value', '2026-05-01')
  await waitFor(() => expect(screen.getByLabelText('Last day')).toHaveProperty('value', '2027-05-01'))
})

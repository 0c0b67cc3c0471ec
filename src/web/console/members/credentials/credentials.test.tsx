import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CredentialRecheck, CredentialDeskLists, PendingCredential } from '#contract/console/credentials.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import CredentialsPage from './credentials.tsx'

const api = useFakeApi()
const DESK = 'GET /api/console/credentials'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const usha: PendingCredential = {
  id: 'c1',
  accountId: 'm1',
  name: 'Usha Rao',
  email: 'usha@example.com',
  kind: 'licence',
  npi: '1234567893',
  npiFits: true,
  licenceState: 'GA',
  place: null,
  endsOn: null,
  givenAt: '2026-03-02T12:00:00.000Z',
  asked: null,
  declinedBefore: null,
}
const { declinedBefore: _, ...base } = usha
const old: CredentialRecheck = {
  ...base,
  id: 'c2',
  name: 'Anand Iyer',
  lookedAt: '2025-03-02T12:00:00.000Z',
  evidence: 'NPPES',
  why: 'time',
}
const resident = {
  kind: 'resident',
  npi: '',
  npiFits: false,
  licenceState: '',
  place: 'Emory',
  endsOn: '2026-06-30',
} as const
const lists = (given: Partial<CredentialDeskLists>): { body: CredentialDeskLists } => ({
  body: {
    waiting: [],
    again: [],
    againTotal: given.again?.length ?? 0,
    recheckMonths: 12,
    hasRegistry: false,
    ...given,
  },
})

describe('who waits', () => {
  test('are approved with evidence, and leave the queue', async () => {
    const DECIDE = 'POST /api/console/credentials/c1'
    api.current.on(DESK, lists({ waiting: [usha] })).on(DECIDE, lists({}))
    const { person } = renderPage(CredentialsPage, { at: '/console/credentials' })
    await person.click(await screen.findByRole('button', { name: 'Approve Usha Rao' }))
    await person.type(await screen.findByLabelText('Evidence'), 'NPPES, name and state agree')
    await person.click(screen.getByRole('button', { name: 'Approve' }))
    await screen.findByText('All caught up.')
    await screen.findByText('Usha Rao was approved. We’ve emailed the member.')
    expect(api.current.requestsTo(DECIDE)[0]?.body).toEqual({
      decision: 'approved',
      evidence: 'NPPES, name and state agree',
    })
  })

  test('are shown beside what the registry says of their number; a registry without an answer is tried again', async () => {
    const REGISTRY = 'GET /api/console/credentials/c1/registry'
    const record = {
      name: 'USHA RAO',
      isOrganization: false,
      otherNames: [],
      degree: 'MD',
      isActive: true,
      taxonomies: [{ name: 'Psychiatry', state: 'SC', license: '0815' }],
      place: 'AIKEN, SC',
      updatedOn: '2026-02-01',
    }
    const failure = errorResponse(502, 'REGISTRY_UNAVAILABLE', 'The registry did not answer.')
    api.current
      .on(DESK, { body: { ...lists({ waiting: [usha] }).body, hasRegistry: true } })
      .on(REGISTRY, failure, { body: { record, agrees: { name: true, state: false } } })
    const { person } = renderPage(CredentialsPage, { at: '/console/credentials' })
    await screen.findByText('The registry did not answer.')
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('State differs')
    const row = screen.getByRole('row', { name: /^Psychiatry|^Specialty/ })
    expect(row.textContent).toBe('Specialty–Psychiatry')
    expect(screen.getByRole('row', { name: /^Name/ }).textContent).toBe('NameUsha RaoUSHA RAO, MD')
    expect(screen.getByRole('row', { name: /SC 0815/ }).textContent).toContain('GASC 0815')
  })

  test('in training: what kind of evidence was seen is asked for', async () => {
    const DECIDE = 'POST /api/console/credentials/c1'
    const sentence = 'Please choose the kind of evidence'
    api.current
      .on(DESK, lists({ waiting: [{ ...usha, ...resident }] }))
      .on(
        DECIDE,
        errorResponse(400, 'INVALID_INPUT', 'Please check the highlighted fields.', { evidenceKind: sentence }),
        lists({}),
      )
    const { person } = renderPage(CredentialsPage, { at: '/console/credentials' })
    await screen.findByText('June 30, 2026')
    await person.click(screen.getByRole('button', { name: 'Approve Usha Rao' }))
    await person.type(await screen.findByLabelText('Evidence'), 'Statement by the director')
    await person.click(screen.getByRole('button', { name: 'Approve' }))
    expect((await screen.findAllByText(sentence)).length).toBeGreaterThan(0)
    await person.selectOptions(screen.getByLabelText('Kind of evidence'), 'A letter from the school or program')
    await person.click(screen.getByRole('button', { name: 'Approve' }))
    await screen.findByText('All caught up.')
    expect(api.current.requestsTo(DECIDE)[1]?.body).toEqual({
      decision: 'approved',
      evidence: 'Statement by the director',
      evidenceKind: 'letter',
    })
  })

  test('is asked; a question that is typed outlives a lost network and a closed tab', async () => {
    const ASK = 'POST /api/console/credentials/c1/ask'
    const asked = { question: 'Which name is on it?', at: '2026-11-21T12:00:00.000Z', answeredAt: null }
    api.current.on(DESK, lists({ waiting: [usha] })).on(ASK, 'no network', lists({ waiting: [{ ...usha, asked }] }))
    const first = renderPage(CredentialsPage, { at: '/console/credentials' })
    await first.person.click(await screen.findByRole('button', { name: 'Ask Usha Rao' }))
    await first.person.type(await screen.findByLabelText(/^Question/), 'Which name is on it?')
    await first.person.click(screen.getByRole('button', { name: 'Send question' }))
    await screen.findByText(/your input is kept/)
    first.unmount()
    const { person } = renderPage(CredentialsPage, { at: '/console/credentials' })
    await person.click(await screen.findByRole('button', { name: 'Ask Usha Rao' }))
    expect(await screen.findByLabelText(/^Question/)).toHaveProperty('value', 'Which name is on it?')
    await person.click(screen.getByRole('button', { name: 'Send question' }))
    await screen.findByText('We’ve emailed your question to Usha Rao.')
    await person.click(screen.getByRole('link', { name: /^Waiting for member/ }))
    await screen.findByText('No reply yet')
  })
})

test('the queue is worked through by keyboard: next, previous, approve and ask', async () => {
  const ela = { ...usha, id: 'c9', name: 'Ela Bose' }
  api.current.on(DESK, lists({ waiting: [usha, ela] }))
  const { person } = renderPage(CredentialsPage, { at: '/console/credentials' })
  await screen.findByRole('button', { name: 'Approve Usha Rao' })
  await person.keyboard('j')
  await screen.findByRole('button', { name: 'Approve Ela Bose' })
  await person.keyboard('a')
  await screen.findByRole('dialog', { name: 'Approve credentials' })
  await person.keyboard('{Escape}')
  await person.keyboard('k')
  await screen.findByRole('button', { name: 'Approve Usha Rao' })
  await person.keyboard('q')
  await screen.findByRole('dialog', { name: 'Ask the member' })
})

describe('credentials due for recheck', () => {
  const at = '/console/credentials?list=again'

  test('are confirmed with one click', async () => {
    const CONFIRM = 'POST /api/console/credentials/c2/confirm'
    api.current.on(DESK, lists({ again: [old] })).on(CONFIRM, lists({}))
    const { person } = renderPage(CredentialsPage, { at: '/console/credentials' })
    await person.click(await screen.findByRole('link', { name: /^Recheck due/ }))
    await screen.findByRole('link', { name: '1234567893 in the registry' })
    await person.click(screen.getByRole('button', { name: 'Confirm Anand Iyer' }))
    await screen.findByText('Anand Iyer was confirmed.')
    screen.getByText('All caught up.')
    expect(api.current.requestsTo(CONFIRM)[0]?.body).toEqual({ lookedAt: old.lookedAt })
  })

  test.each([
    [12, 'Confirmed credentials are due again in a year;'],
    [24, 'Confirmed credentials are due again in 2 years;'],
    [18, 'Confirmed credentials are due again in 18 months;'],
    [1, 'Confirmed credentials are due again in a month;'],
    [0, 'Only training that has ended is checked again;'],
  ])('every %i months: the page says when they are due again', async (recheckMonths, sentence) => {
    api.current.on(DESK, lists({ again: [old], recheckMonths }))
    renderPage(CredentialsPage, { at })
    await screen.findByText(new RegExp(sentence))
  })

  test.each([
    [12, 'The next recheck is due in a year, or when the training ends if that is sooner.'],
    [0, 'The next recheck is due when the training ends.'],
  ])('every %i months: confirmed training says when the next recheck is due', async (recheckMonths, sentence) => {
    const over: CredentialRecheck = { ...old, ...resident, why: 'training' }
    api.current
      .on(DESK, lists({ again: [over], recheckMonths }))
      .on('POST /api/console/credentials/c2/confirm', lists({ recheckMonths }))
    const { person } = renderPage(CredentialsPage, { at })
    await person.click(await screen.findByRole('button', { name: 'Confirm Anand Iyer' }))
    await person.type(await screen.findByLabelText('End of training'), '2031-07-31')
    await person.click(screen.getByRole('button', { name: 'Confirm' }))
    await screen.findByText(`Anand Iyer was confirmed. ${sentence}`)
  })

  test('an error is shown, and an invalid NPI cannot be confirmed', async () => {
    const CONFIRM = 'POST /api/console/credentials/c2/confirm'
    const sentence = 'Someone else changed this in the meantime.'
    const wrong = { ...old, id: 'c3', name: 'Wrong Number', npiFits: false }
    api.current.on(DESK, lists({ again: [old, wrong] })).on(CONFIRM, errorResponse(409, 'CHANGED_MEANWHILE', sentence))
    const { person } = renderPage(CredentialsPage, { at })
    await person.click(await screen.findByRole('button', { name: 'Confirm Anand Iyer' }))
    await screen.findByText(sentence)
    await person.click(screen.getByRole('button', { name: /^Wrong Number/ }))
    await screen.findByRole('button', { name: 'Revoke Wrong Number' })
    expect(screen.queryByRole('button', { name: 'Confirm Wrong Number' })).toBeNull()
  })

  test('one that the member was asked about waits for the member, and is not counted as due', async () => {
    const asked = { question: 'Still in practice?', at: '2026-11-21T12:00:00.000Z', answeredAt: null }
    const resting = { ...old, id: 'c4', name: 'Ela Bose', asked }
    api.current.on(DESK, lists({ again: [old, resting], againTotal: 1 }))
    const { person } = renderPage(CredentialsPage, { at })
    await screen.findByRole('button', { name: 'Confirm Anand Iyer' })
    expect(screen.queryByRole('button', { name: /^Ela Bose/ })).toBeNull()
    await person.click(screen.getByRole('link', { name: /^Waiting for member/ }))
    await screen.findByRole('button', { name: 'Confirm Ela Bose' })
  })

  test('a click during another action is ignored, and the page says so', async () => {
    let reply: (answer: object) => void = () => {}
    const second = { ...old, id: 'c4', name: 'Ela Bose' }
    api.current
      .on(DESK, lists({ again: [old, second] }))
      .on('POST /api/console/credentials/c2/confirm', new Promise<object>((resolve) => (reply = resolve)))
      .on('POST /api/console/credentials/c4/confirm', lists({}))
    const { person } = renderPage(CredentialsPage, { at })
    await person.click(await screen.findByRole('button', { name: 'Confirm Anand Iyer' }))
    await person.click(screen.getByRole('button', { name: /^Ela Bose/ }))
    await person.click(await screen.findByRole('button', { name: 'Confirm Ela Bose' }))
    reply(lists({ again: [second] }))
    await screen.findByText('Anand Iyer was confirmed.')
    screen.getByText(/your last click was ignored/)
    await person.click(await screen.findByRole('button', { name: 'Confirm Ela Bose' }))
    await screen.findByText('Ela Bose was confirmed.')
    expect(screen.queryByText(/your last click was ignored/)).toBeNull()
  })

  test('after a conflict the reloaded approval is revoked', async () => {
    const WITHDRAW = 'POST /api/console/credentials/c2/withdraw'
    const lookedAt = '2026-03-01T12:00:00.000Z'
    api.current
      .on(DESK, lists({ again: [old] }), lists({ again: [{ ...old, lookedAt, evidence: 'Seen at the desk' }] }))
      .on(WITHDRAW, errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this in the meantime.'))
    const { person } = renderPage(CredentialsPage, { at })
    await person.click(await screen.findByRole('button', { name: 'Revoke Anand Iyer' }))
    await person.type(await screen.findByLabelText(/^Reason/), 'Left the state')
    await person.click(screen.getByRole('button', { name: 'Revoke' }))
    await screen.findByText(/Seen at the desk/)
    api.current.on(WITHDRAW, lists({}))
    await person.click(screen.getByRole('button', { name: 'Revoke' }))
    await screen.findByText('All caught up.')
    expect(api.current.requestsTo(WITHDRAW)[1]?.body).toEqual({ lookedAt, reason: 'Left the state' })
  })

  test('ended training needs a new end date; an approval is revoked with a reason', async () => {
    const CONFIRM = 'POST /api/console/credentials/c2/confirm'
    const WITHDRAW = 'POST /api/console/credentials/c2/withdraw'
    const over: CredentialRecheck = { ...old, ...resident, why: 'training' }
    api.current
      .on(DESK, lists({ again: [over] }))
      .on(CONFIRM, errorResponse(400, 'INVALID_INPUT', 'Please check.', { endsOn: 'This day is over.' }))
      .on(WITHDRAW, lists({}))
    const { person } = renderPage(CredentialsPage, { at })
    await screen.findAllByText('Training ended')
    await person.click(screen.getByRole('button', { name: 'Confirm Anand Iyer' }))
    await person.type(await screen.findByLabelText('End of training'), '2026-07-31')
    await person.click(screen.getByRole('button', { name: 'Confirm' }))
    expect((await screen.findAllByText('This day is over.')).length).toBeGreaterThan(0)
    expect(api.current.requestsTo(CONFIRM)[0]?.body).toEqual({ lookedAt: old.lookedAt, endsOn: '2026-07-31' })
    await person.keyboard('{Escape}')
    await person.click(await screen.findByRole('button', { name: 'Revoke Anand Iyer' }))
    await person.type(await screen.findByLabelText(/^Reason/), 'Left the programme')
    await person.click(screen.getByRole('button', { name: 'Revoke' }))
    await screen.findByText('The approval of Anand Iyer was revoked. We’ve emailed the member.')
    expect(api.current.requestsTo(WITHDRAW)[0]?.body).toEqual({ lookedAt: old.lookedAt, reason: 'Left the programme' })
  })
})

import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AgainCredential, DeskLists, WaitingCredential } from '#contract/console-credentials.ts'
import { refusal, tokenFor, useFakeApi } from '#web/api/fake-api.ts'
import { renderPage } from '#web/pages/render-page.tsx'
import CredentialsPage from './credentials.tsx'

const api = useFakeApi()
const DESK = 'GET /api/console/credentials'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const usha: WaitingCredential = {
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
const old: AgainCredential = {
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
const lists = (given: Partial<DeskLists>): { body: DeskLists } => ({
  body: { waiting: [], again: [], againTotal: given.again?.length ?? 0, ...given },
})

describe('who waits', () => {
  test('is approved on evidence, and the desk goes on with who is left', async () => {
    const DECIDE = 'POST /api/console/credentials/c1'
    api.current.on(DESK, lists({ waiting: [usha] })).on(DECIDE, lists({}))
    const { person } = renderPage(CredentialsPage, { at: '/console/credentials' })
    await person.click(await screen.findByRole('button', { name: 'Approve Usha Rao' }))
    await person.type(await screen.findByLabelText('What you looked at'), 'NPPES, name and state agree')
    await person.click(screen.getByRole('button', { name: 'Approve' }))
    await screen.findByText('Nobody waits.')
    await screen.findByText('Usha Rao is approved; a letter tells the member.')
    expect(api.current.of(DECIDE)[0]?.body).toEqual({ decision: 'approved', evidence: 'NPPES, name and state agree' })
  })

  test('in training: what kind of evidence was seen is asked for', async () => {
    const DECIDE = 'POST /api/console/credentials/c1'
    const sentence = 'Please choose the kind of evidence'
    api.current
      .on(DESK, lists({ waiting: [{ ...usha, ...resident }] }))
      .on(
        DECIDE,
        refusal(400, 'INVALID_INPUT', 'Please check the highlighted fields.', { evidenceKind: sentence }),
        lists({}),
      )
    const { person } = renderPage(CredentialsPage, { at: '/console/credentials' })
    await screen.findByText('June 30, 2026')
    await person.click(screen.getByRole('button', { name: 'Approve Usha Rao' }))
    await person.type(await screen.findByLabelText('What you looked at'), 'Letter of the director')
    await person.click(screen.getByRole('button', { name: 'Approve' }))
    expect((await screen.findAllByText(sentence)).length).toBeGreaterThan(0)
    await person.selectOptions(screen.getByLabelText('Kind of evidence'), 'A letter from the school or program')
    await person.click(screen.getByRole('button', { name: 'Approve' }))
    await screen.findByText('Nobody waits.')
    expect(api.current.of(DECIDE)[1]?.body).toEqual({
      decision: 'approved',
      evidence: 'Letter of the director',
      evidenceKind: 'letter',
    })
  })

  test('is asked; a question that is typed outlives a lost network and a closed tab', async () => {
    const ASK = 'POST /api/console/credentials/c1/ask'
    const asked = { question: 'Which name is on it?', at: '2026-11-21T12:00:00.000Z', answeredAt: null }
    api.current.on(DESK, lists({ waiting: [usha] })).on(ASK, 'no network', lists({ waiting: [{ ...usha, asked }] }))
    const first = renderPage(CredentialsPage, { at: '/console/credentials' })
    await first.person.click(await screen.findByRole('button', { name: 'Ask Usha Rao' }))
    await first.person.type(await screen.findByLabelText(/^Your question/), 'Which name is on it?')
    await first.person.click(screen.getByRole('button', { name: 'Send the question' }))
    await screen.findByText(/nothing you typed is lost/)
    first.unmount()
    const { person } = renderPage(CredentialsPage, { at: '/console/credentials' })
    await person.click(await screen.findByRole('button', { name: 'Ask Usha Rao' }))
    expect(await screen.findByLabelText(/^Your question/)).toHaveProperty('value', 'Which name is on it?')
    await person.click(screen.getByRole('button', { name: 'Send the question' }))
    await screen.findByText('Usha Rao is asked by letter.')
    screen.getByText('No answer yet')
  })
})

describe('what is to be looked at again', () => {
  const at = '/console/credentials?list=again'

  test('is still right with one touch', async () => {
    const CONFIRM = 'POST /api/console/credentials/c2/confirm'
    api.current.on(DESK, lists({ again: [old] })).on(CONFIRM, lists({}))
    const { person } = renderPage(CredentialsPage, { at: '/console/credentials' })
    await person.click(await screen.findByRole('button', { name: 'To look at again (1)' }))
    await screen.findByRole('link', { name: '1234567893 in the registry' })
    await person.click(screen.getByRole('button', { name: 'Anand Iyer is still right' }))
    await screen.findByText('Anand Iyer is still right.')
    screen.getByText('Nothing is to be looked at again.')
    expect(api.current.of(CONFIRM)[0]?.body).toEqual({ lookedAt: old.lookedAt })
  })

  test('a refusal is said, and an NPI that does not fit offers no such touch', async () => {
    const CONFIRM = 'POST /api/console/credentials/c2/confirm'
    const sentence = 'Somebody else changed this meanwhile.'
    const wrong = { ...old, id: 'c3', name: 'Wrong Number', npiFits: false }
    api.current.on(DESK, lists({ again: [old, wrong] })).on(CONFIRM, refusal(409, 'CHANGED_MEANWHILE', sentence))
    const { person } = renderPage(CredentialsPage, { at })
    await person.click(await screen.findByRole('button', { name: 'Anand Iyer is still right' }))
    await screen.findByText(sentence)
    expect(screen.queryByRole('button', { name: 'Wrong Number is still right' })).toBeNull()
    screen.getByRole('button', { name: 'Withdraw Wrong Number' })
  })

  test('a touch while another is under way is told to be undone', async () => {
    let reply: (answer: object) => void = () => {}
    const second = { ...old, id: 'c4', name: 'Ela Bose' }
    api.current
      .on(DESK, lists({ again: [old, second] }))
      .on('POST /api/console/credentials/c2/confirm', new Promise<object>((resolve) => (reply = resolve)))
      .on('POST /api/console/credentials/c4/confirm', lists({}))
    const { person } = renderPage(CredentialsPage, { at })
    await person.click(await screen.findByRole('button', { name: 'Anand Iyer is still right' }))
    await person.click(screen.getByRole('button', { name: 'Ela Bose is still right' }))
    reply(lists({ again: [second] }))
    await screen.findByText('Anand Iyer is still right.')
    screen.getByText(/what you pressed meanwhile was not done/)
    await person.click(screen.getByRole('button', { name: 'Ela Bose is still right' }))
    await screen.findByText('Ela Bose is still right.')
    expect(screen.queryByText(/what you pressed meanwhile/)).toBeNull()
  })

  test('whoever was slower takes an approval back as the desk shows it by then', async () => {
    const WITHDRAW = 'POST /api/console/credentials/c2/withdraw'
    const lookedAt = '2026-03-01T12:00:00.000Z'
    api.current
      .on(DESK, lists({ again: [old] }), lists({ again: [{ ...old, lookedAt, evidence: 'Seen at the desk' }] }))
      .on(WITHDRAW, refusal(409, 'CHANGED_MEANWHILE', 'Somebody else changed this meanwhile.'))
    const { person } = renderPage(CredentialsPage, { at })
    await person.click(await screen.findByRole('button', { name: 'Withdraw Anand Iyer' }))
    await person.type(await screen.findByLabelText(/^The reason/), 'Left the state')
    await person.click(screen.getByRole('button', { name: 'Take it back' }))
    await screen.findByText(/Seen at the desk/)
    api.current.on(WITHDRAW, lists({}))
    await person.click(screen.getByRole('button', { name: 'Take it back' }))
    await screen.findByText('Nothing is to be looked at again.')
    expect(api.current.of(WITHDRAW)[1]?.body).toEqual({ lookedAt, reason: 'Left the state' })
  })

  test('training that is over wants its new end; an approval is taken back with a sentence', async () => {
    const CONFIRM = 'POST /api/console/credentials/c2/confirm'
    const WITHDRAW = 'POST /api/console/credentials/c2/withdraw'
    const over: AgainCredential = { ...old, ...resident, why: 'training' }
    api.current
      .on(DESK, lists({ again: [over] }))
      .on(CONFIRM, refusal(400, 'INVALID_INPUT', 'Please check.', { endsOn: 'This day is over.' }))
      .on(WITHDRAW, lists({}))
    const { person } = renderPage(CredentialsPage, { at })
    await screen.findByText('Training is over')
    await person.click(screen.getByRole('button', { name: 'Anand Iyer is still right' }))
    await person.type(await screen.findByLabelText('The training ends on'), '2026-07-31')
    await person.click(screen.getByRole('button', { name: 'Still right until then' }))
    expect((await screen.findAllByText('This day is over.')).length).toBeGreaterThan(0)
    expect(api.current.of(CONFIRM)[0]?.body).toEqual({ lookedAt: old.lookedAt, endsOn: '2026-07-31' })
    await person.keyboard('{Escape}')
    await person.click(await screen.findByRole('button', { name: 'Withdraw Anand Iyer' }))
    await person.type(await screen.findByLabelText(/^The reason/), 'Left the programme')
    await person.click(screen.getByRole('button', { name: 'Take it back' }))
    await screen.findByText('The approval of Anand Iyer is taken back; a letter tells the member.')
    expect(api.current.of(WITHDRAW)[0]?.body).toEqual({ lookedAt: old.lookedAt, reason: 'Left the programme' })
  })
})

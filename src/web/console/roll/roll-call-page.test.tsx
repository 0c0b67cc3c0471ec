import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { RollCall, RollCallPerson } from '#contract/console/people/roll-call.ts'
import { openConsole, useConsoleApi } from '#tests/support/web/console-test-helpers.tsx'

const api = useConsoleApi()
const PATH = '/api/console/roll-calls'
const counts = { asked: 587, here: 400, moved: 20, notMe: 2, died: 1, silent: 164, proposed: 1, lost: 12, reached: 418 }
const call: RollCall = {
  id: 'c1',
  beganAt: '2026-11-02T12:00:00.000Z',
  beganBy: 'Sita Rao',
  closesOn: '2026-12-02',
  isOpen: true,
  levels: ['Life Member'],
  counts,
}
const silent: RollCallPerson = {
  accountId: 'm1',
  name: 'Meera Rao',
  way: 'post',
  answer: null,
  answeredAt: null,
  how: null,
  answeredBy: null,
  isLost: false,
}
const page = (given: object = {}) => ({
  body: { call, people: [silent], total: 1, mayAsk: true, mayRecord: true, ...given },
})

test('a roll call starts for life members, unless others are chosen', async () => {
  const levels = [
    { key: 'life', name: 'Life Member', isLifetime: true },
    { key: 'annual', name: 'Annual Member', isLifetime: false },
  ]
  api.current.on(`GET ${PATH}`, { body: { calls: [], levels, today: '2026-11-02', mayStart: true } })
  const person = openConsole('/console/roll-calls')
  expect(await screen.findByLabelText('Life Member')).toHaveProperty('checked', true)
  api.current.on(`POST ${PATH}`, { status: 201, body: call })
  await person.click(screen.getByRole('button', { name: 'Start the roll call' }))
  await screen.findByText('Started. The emails are on their way.')
  expect(api.current.requestsTo(`POST ${PATH}`)[0]?.body).toEqual({ levels: ['life'], closesOn: '2026-12-02' })
})

test('an answer by phone is recorded; the lead says how many are reached', async () => {
  api.current.on(`GET ${PATH}/c1`, page())
  const person = openConsole('/console/roll-calls/c1')
  await screen.findByText(/418 of 587 reached, 12 lost contact/)
  await person.click(screen.getByRole('button', { name: /Meera Rao/ }))
  await person.click(await screen.findByRole('menuitem', { name: 'Record an answer' }))
  const dialog = within(await screen.findByRole('dialog'))
  await person.selectOptions(dialog.getByLabelText('Answer'), 'Here, but moved')
  api.current.on(`POST ${PATH}/c1/answers`, { body: call })
  await person.click(dialog.getByRole('button', { name: 'Record the answer' }))
  await screen.findByText('Answer recorded.')
  expect(api.current.requestsTo(`POST ${PATH}/c1/answers`)[0]?.body).toEqual({
    accountId: 'm1',
    answer: 'moved',
    how: 'phone',
  })
})

test('while members can answer, lost contact is not recorded', async () => {
  api.current.on(`GET ${PATH}/c1`, page())
  openConsole('/console/roll-calls/c1?part=proposed')
  await screen.findByText(/They can still answer/)
  expect(screen.queryByRole('button', { name: 'Record lost contact with these' })).toBeNull()
})

test('who was silent twice is recorded as lost with a reason', async () => {
  api.current.on(`GET ${PATH}/c1`, page({ call: { ...call, isOpen: false } }))
  const person = openConsole('/console/roll-calls/c1?part=proposed')
  await person.click(await screen.findByRole('button', { name: 'Record lost contact with these' }))
  const dialog = within(await screen.findByRole('dialog'))
  await person.type(dialog.getByLabelText('Reason for the audit log'), 'Called twice')
  api.current.on(`POST ${PATH}/c1/lost`, { body: { recorded: 1, skipped: 0 } })
  await person.click(dialog.getByRole('button', { name: 'Record lost contact' }))
  await screen.findByText('Recorded for 1.')
})

import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Roll, RollDetail } from '#contract/console/people/roll.ts'
import { openConsole, useConsoleApi } from '#tests/support/web/console-test-helpers.tsx'

const api = useConsoleApi()
const PATH = '/api/console/rolls'
const roll: Roll = {
  id: 'r1',
  name: 'Annual meeting',
  recordDay: '2026-11-01',
  rule: { levels: ['life'], graceDays: 60, includesLost: true },
  levelNames: ['Life Member'],
  frozenAt: '2026-11-02T12:00:00.000Z',
  frozenBy: 'Sita Rao',
  objectionsUntil: '2026-11-10',
  isOpen: false,
  people: 587,
  objections: { open: 1, answered: 0 },
  sealed: null,
}
const detail: RollDetail = {
  roll,
  entries: [{ accountId: 'm1', name: 'Rao, Meera', level: 'Life Member', way: 'email', change: null }],
  total: 1,
  objections: [
    {
      id: 'o1',
      accountId: 'm2',
      name: 'Leela Nair',
      isOnRoll: false,
      text: 'I paid in October.',
      madeAt: '2026-11-03T12:00:00.000Z',
      answer: null,
      answeredBy: null,
    },
  ],
  mayChange: true,
}

test('a roll is frozen with its rule; all levels are chosen at first', async () => {
  const levels = [
    { key: 'life', name: 'Life Member' },
    { key: 'annual', name: 'Annual Member' },
  ]
  api.current.on(`GET ${PATH}`, { body: { rolls: [], levels, today: '2026-11-02', mayFreeze: true } })
  const person = openConsole('/console/rolls')
  await person.type(await screen.findByLabelText('Name'), 'Annual meeting')
  await person.click(screen.getByLabelText('Annual Member'))
  api.current.on(`POST ${PATH}`, { status: 201, body: roll })
  await person.click(screen.getByRole('button', { name: 'Freeze the roll' }))
  await screen.findByText(/^Frozen\./)
  expect(api.current.requestsTo(`POST ${PATH}`)[0]?.body).toEqual({
    name: 'Annual meeting',
    recordDay: '2026-11-01',
    objectionsUntil: '2026-11-16',
    rule: { levels: ['life'], graceDays: 0, includesLost: true },
  })
})

test('an objection is answered by adding its member, or by removing someone else', async () => {
  api.current.on(`GET ${PATH}/r1`, { body: detail })
  const person = openConsole('/console/rolls/r1')
  await person.click(await screen.findByRole('button', { name: 'Add to the roll' }))
  const dialog = within(await screen.findByRole('dialog'))
  dialog.getByText('Leela Nair is added to the roll.')
  await person.type(dialog.getByLabelText('Answer to the member'), 'You did.')
  api.current.on(`POST ${PATH}/r1/objections/o1`, { body: roll })
  await person.click(dialog.getByRole('button', { name: 'Answer' }))
  await screen.findByText(/^Answered\./)
  expect(api.current.requestsTo(`POST ${PATH}/r1/objections/o1`)[0]?.body).toEqual({
    answer: 'You did.',
    change: { what: 'add', accountId: 'm2' },
  })
  await person.click(screen.getByRole('button', { name: /Rao, Meera/ }))
  await person.click(await screen.findByRole('menuitem', { name: 'Remove after the objection of Leela Nair' }))
  within(await screen.findByRole('dialog')).getByText('Rao, Meera is removed from the roll.')
})

test('a sealed roll shows its digest and nothing to change', async () => {
  const sealed = { at: '2026-11-11T12:00:00.000Z', by: 'Sita Rao', digest: 'ab'.repeat(32) }
  api.current.on(`GET ${PATH}/r1`, { body: { ...detail, roll: { ...roll, sealed } } })
  openConsole('/console/rolls/r1')
  await screen.findByText('ab'.repeat(32))
  expect(screen.queryByRole('button', { name: 'Seal the roll' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Add to the roll' })).toBeNull()
})

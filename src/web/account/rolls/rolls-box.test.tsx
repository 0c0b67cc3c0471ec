import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { OwnRoll } from '#contract/public/my-account/own-rolls.ts'
import { tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import { RollsBox } from './rolls-box.tsx'

const api = useFakeApi()
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const own: OwnRoll = {
  id: 'r1',
  name: 'Annual meeting',
  recordDay: '2026-11-01',
  objectionsUntil: '2026-11-10',
  isOnRoll: true,
  objections: [],
}
const open = () => renderPage(() => <RollsBox explainFailure={() => 'Failed.'} />, { at: '/auth/account/membership' })

test('a member on it reads the list and objects', async () => {
  api.current.on('GET /api/account/rolls', { body: { rolls: [own] } })
  api.current.on('GET /api/rolls/r1', { body: { people: [{ name: 'Rao, Meera', level: 'Life Member' }], total: 1 } })
  const { person } = open()
  await screen.findByText(/You are on it\./)
  expect(api.current.requestsTo('GET /api/rolls/r1')).toEqual([])
  await person.click(screen.getByRole('button', { name: 'Show the list' }))
  await screen.findByText('Rao, Meera, Life Member')
  await person.type(screen.getByLabelText('What is wrong with the roll?'), 'Ben moved abroad.')
  const objection = { text: 'Ben moved abroad.', madeAt: '2026-11-03T12:00:00.000Z', answer: null }
  api.current.on('POST /api/rolls/r1/objections', { body: { rolls: [{ ...own, objections: [objection] }] } })
  await person.click(screen.getByRole('button', { name: 'Send objection' }))
  await screen.findByText(/“Ben moved abroad\.” An officer will answer\./)
})

test('who is not on it sees no list but may object', async () => {
  api.current.on('GET /api/account/rolls', { body: { rolls: [{ ...own, isOnRoll: false }] } })
  open()
  await screen.findByText(/You are not on it\./)
  expect(screen.queryByRole('button', { name: 'Show the list' })).toBeNull()
  screen.getByLabelText('What is wrong with the roll?')
})

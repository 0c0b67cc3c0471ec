import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { PersonRecord } from '#contract/console/people/person-state.ts'
import { openConsole, useConsoleApi } from '#tests/support/web/console-test-helpers.tsx'
import { memberDirectorySample, personStateSample, sampleMember } from '#tests/support/web/member-sample.ts'

const api = useConsoleApi()
const STATE = '/api/console/members/m1/state'

beforeEach(() => {
  api.current.on('GET /api/console/members/m1', { body: sampleMember })
  api.current.on('GET /api/console/members/m1/timeline', { body: { entries: [], next: null } })
  api.current.on('GET /api/console/members/m1/record', { body: { fields: [], version: 'v1', mayEdit: true } })
  api.current.on('GET /api/console/members/m1/directory', { body: memberDirectorySample })
  api.current.on('GET /api/console/members/m1/card', { body: { card: null, mayRevoke: false } })
})

async function open(record: Partial<PersonRecord>) {
  api.current.on(`GET ${STATE}`, { body: { ...personStateSample, ...record } })
  const person = openConsole('/console/members/m1')
  const heading = await screen.findByRole('heading', { name: 'Person' })
  return { person, panel: within(heading.closest('section') as HTMLElement) }
}

const reports = [
  { source: 'Obituary', reportedBy: 'Sita Rao', reportedAt: '2026-11-02T12:00:00.000Z' },
  { source: 'The link of a roll call', reportedBy: null, reportedAt: '2026-11-03T12:00:00.000Z' },
]

test('a report is sent with its source, and says that nothing has changed', async () => {
  const { person, panel } = await open({})
  await person.click(await panel.findByRole('button', { name: 'Report a death' }))
  const dialog = within(await screen.findByRole('dialog'))
  await person.type(dialog.getByLabelText('How you know'), 'Obituary')
  api.current.on('POST /api/console/members/m1/death-reports', {
    body: { ...personStateSample, reports: reports.slice(0, 1) },
  })
  await person.click(dialog.getByRole('button', { name: 'Report' }))
  await screen.findByText(/Nothing has changed; the account gets an email/)
  await panel.findByText('Nothing changes yet. Two different sources are needed before the death can be recorded.')
  expect(panel.queryByRole('button', { name: 'Record the death' })).toBeNull()
})

test('with two sources after seven days the death is recorded; the day is optional', async () => {
  const { person, panel } = await open({ reports, decidableFrom: '2026-11-09T12:00:00.000Z' })
  await panel.findByText('Obituary (reported on November 2, 2026 by Sita Rao)')
  await person.click(panel.getByRole('button', { name: 'Record the death' }))
  const dialog = within(await screen.findByRole('dialog'))
  await person.type(dialog.getByLabelText('Reason for the audit log'), 'Two sources')
  api.current.on(`POST ${STATE}`, { body: { ...personStateSample, state: 'deceased', mayDecide: false } })
  await person.click(dialog.getByRole('button', { name: 'Record the death' }))
  await screen.findByText('The death is recorded.')
  expect(api.current.requestsTo(`POST ${STATE}`)[0]?.body).toEqual({
    state: 'deceased',
    seen: 'living',
    reason: 'Two sources',
  })
})

test('an undo says that an ended payment stays ended', async () => {
  const decision = {
    since: '2026-11-01',
    sources: ['Obituary', 'The family called'],
    decidedBy: 'Sita Rao',
    decidedAt: '2026-11-10T12:00:00.000Z',
    undoUntil: '2999-12-10T12:00:00.000Z',
    endedRenewal: true,
  }
  const { person, panel } = await open({ state: 'deceased', decision })
  await person.click(await panel.findByRole('button', { name: 'Undo' }))
  const dialog = within(await screen.findByRole('dialog'))
  dialog.getByText(/The recurring payment stays ended\./)
})

import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { MemberCard } from '#contract/console/people/member-card.ts'
import { openConsole, useConsoleApi } from '#tests/support/web/console-test-helpers.tsx'
import { memberDirectorySample, personStateSample, sampleMember } from '#tests/support/web/member-sample.ts'

const api = useConsoleApi()
const CARD = 'GET /api/console/members/m1/card'
const REVOKE = 'POST /api/console/members/m1/card/revoke'
const card: NonNullable<MemberCard['card']> = { number: 2148, madeAt: '2026-11-02T12:00:00.000Z', revokedAt: null }

async function panel() {
  const person = openConsole('/console/members/m1')
  const heading = await screen.findByRole('heading', { name: 'Membership card' })
  return { person, panel: within(heading.closest('section') as HTMLElement) }
}

beforeEach(() => {
  api.current.on('GET /api/console/members/m1', { body: sampleMember })
  api.current.on('GET /api/console/members/m1/timeline', { body: { entries: [], next: null } })
  api.current.on('GET /api/console/members/m1/record', { body: { fields: [], version: 'v1', mayEdit: true } })
  api.current.on('GET /api/console/members/m1/directory', { body: memberDirectorySample })
  api.current.on('GET /api/console/members/m1/state', { body: personStateSample })
})

describe('the card on a member’s page', () => {
  test('an officer revokes its code', async () => {
    api.current.on(CARD, { body: { card, mayRevoke: true } })
    api.current.on(REVOKE, {
      body: { card: { ...card, revokedAt: '2026-11-23T12:00:00.000Z' }, mayRevoke: false },
    })
    const { person, panel: found } = await panel()
    await found.findByText('No. 2148. Its code is from November 2, 2026.')
    await person.click(found.getByRole('button', { name: 'Revoke the code' }))
    await found.findByText('No. 2148. Its code was revoked on November 23, 2026; the member can get a new one.')
    expect(found.queryByRole('button')).toBeNull()
  })

  test('a member who never opened it has none', async () => {
    api.current.on(CARD, { body: { card: null, mayRevoke: false } })
    const { panel: found } = await panel()
    await found.findByText('Not opened yet.')
  })

  test('there is nothing to press for an officer who may not revoke it', async () => {
    api.current.on(CARD, { body: { card, mayRevoke: false } })
    const { panel: found } = await panel()
    await found.findByText(/^No. 2148/)
    expect(found.queryByRole('button')).toBeNull()
  })
})

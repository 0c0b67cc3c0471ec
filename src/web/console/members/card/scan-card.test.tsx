import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ScannedCard } from '#contract/console/people/member-card.ts'
import { GET_OFFICER, officerWith, openConsole, useConsoleApi } from '#tests/support/web/console-test-helpers.tsx'

const api = useConsoleApi()
const SCAN = 'POST /api/console/cards/scan'
const card: ScannedCard = {
  status: 'active',
  name: 'Tulika Raghunathan',
  level: 'Annual Member',
  number: 2148,
  until: '2027-01-14T12:00:00.000Z',
  memberId: 'm1',
}

async function check(code: string): Promise<void> {
  const person = openConsole('/console/cards')
  await person.type(await screen.findByLabelText('Code or address of a card'), code)
  await person.click(screen.getByRole('button', { name: 'Check' }))
}

beforeEach(() => {
  api.current.on(SCAN, { body: { card } })
})

describe('scanning a card', () => {
  test('says what it stands for, with a link to the person', async () => {
    await check('https://association.example/card#abc')
    await screen.findByText('Active: Tulika Raghunathan')
    screen.getByText('Annual Member, no. 2148. Until January 14, 2027.')
    expect(screen.getByRole('link', { name: 'Open Tulika Raghunathan' }).getAttribute('href')).toBe(
      '/console/members/m1',
    )
    expect(api.current.requestsTo(SCAN)[0]?.body).toEqual({ code: 'https://association.example/card#abc' })
  })

  test.each<[Partial<ScannedCard>, string, string]>([
    [{ status: 'past_due' }, 'Past due: Tulika Raghunathan', 'Annual Member, no. 2148. Until January 14, 2027.'],
    [{ status: 'lapsed' }, 'Lapsed: Tulika Raghunathan', 'Annual Member, no. 2148. Ended January 14, 2027.'],
    [{ status: 'lapsed', level: null, until: null }, 'Lapsed: Tulika Raghunathan', 'No membership, no. 2148.'],
    [
      { status: 'disabled' },
      'Account disabled: Tulika Raghunathan',
      'Annual Member, no. 2148. Until January 14, 2027.',
    ],
    [{ until: null }, 'Active: Tulika Raghunathan', 'Annual Member, no. 2148. For life.'],
  ])('%j', async (over, title, words) => {
    api.current.on(SCAN, { body: { card: { ...card, ...over } } })
    await check('abc')
    await screen.findByText(title)
    screen.getByText(words)
  })

  test('an officer who may not see members gets no link', async () => {
    api.current.on(GET_OFFICER, { body: officerWith(['editor']) })
    api.current.on(SCAN, { body: { card: { ...card, memberId: null } } })
    await check('abc')
    await screen.findByText('Active: Tulika Raghunathan')
    expect(screen.queryByRole('link', { name: /^Open/ })).toBeNull()
  })

  test('says that a code is not valid', async () => {
    api.current.on(SCAN, { body: { card: null } })
    await check('abc')
    await screen.findByText('Not a valid code')
  })

  test('the code in the address is checked once', async () => {
    openConsole('/console/cards#abc')
    await screen.findByText('Active: Tulika Raghunathan')
    expect(api.current.requestsTo(SCAN).map(({ body }) => body)).toEqual([{ code: 'abc' }])
  })

  test('is not for officers who do not run events', async () => {
    api.current.on(GET_OFFICER, { body: officerWith(['treasurer']) })
    openConsole('/console/cards#abc')
    await screen.findByText(/Your role does not include this page/)
    expect(api.current.requestsTo(SCAN)).toEqual([])
  })
})

import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { useFakeApi } from '#tests/support/web/fake-api.ts'
import { annual, level, renderPage, stubBotCheck } from '#tests/support/web/page-test-helpers.tsx'
import BecomeAMemberPage from './become-a-member.tsx'

const api = useFakeApi()
const levels = [annual, level('resident_fellow'), level('board_member')]

beforeEach(() => {
  stubBotCheck()
  api.current.on('GET /api/membership-levels', { body: levels })
})

function open() {
  return renderPage(BecomeAMemberPage, { at: '/become-a-member', loaderData: { levels } })
}

test('one question tells the levels apart; until it is answered all are shown', () => {
  open()
  const question = within(screen.getByRole('group', { name: 'Which of these is you?' }))
  expect(question.getAllByRole<HTMLInputElement>('radio').map(({ value, checked }) => [value, checked])).toEqual([
    ['practice', false],
    ['training', false],
    ['aims', false],
  ])
  const audiences = screen.getAllByRole('article').map((card) => card.dataset['audience'])
  expect(audiences).toEqual(['practice', 'training', undefined])
})

test('a visitor who is a member already finds the way to renew', () => {
  open()
  const ways = screen.getAllByRole('link', { name: 'Log in to renew' }).map((link) => link.getAttribute('href'))
  expect(ways).toEqual(['/auth/login?next=%2Fbecome-a-member', '/auth/login?next=%2Fbecome-a-member'])
})

import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { JoinPage } from '#contract/public/membership.ts'
import { useFakeApi } from '#tests/support/web/fake-api.ts'
import {
  annual,
  level,
  plainHead,
  life,
  plainJoinPage,
  presentation,
  renderPage,
  stubBotCheck,
} from '#tests/support/web/page-test-helpers.tsx'
import BecomeAMemberPage from './become-a-member.tsx'

const api = useFakeApi()
const resident = level('resident_fellow', { name: 'Resident or Fellow' })
const board = level('board_member')
const levels = [annual, life, resident, board]
const page: JoinPage = {
  ...plainJoinPage,
  levels: [
    presentation('annual member', {
      audiences: ['practice'],
      benefits: ['A vote', 'Lectures for credit'],
      note: 'We email you before it renews.',
      isFeatured: true,
    }),
    presentation('Life Member', { audiences: ['practice'] }),
    presentation('Resident or Fellow', { audiences: ['training'], isFeatured: true }),
    presentation('A level that was renamed', { benefits: ['Nothing'] }),
  ],
  asides: [{ audience: 'training', title: 'Your first mentor is near.', text: 'Students join free.' }],
  voice: { quote: 'I came for one lecture.', name: 'Dr. Nambiar', detail: 'Augusta', portrait: null },
  questions: [{ question: 'Can I stop?', answer: '<p>At any time.</p>' }],
}

beforeEach(() => {
  stubBotCheck()
  api.current.on('GET /api/membership-levels', { body: levels })
})

function open(shown = page) {
  return renderPage(BecomeAMemberPage, {
    at: '/become-a-member',
    loaderData: { levels, page: shown, head: plainHead, fields: [] },
  })
}

const solidButtons = () =>
  screen
    .getAllByRole('button', { name: /^Select/ })
    .filter(({ className }) => !className.includes('line'))
    .map(({ id }) => id)

test('one question tells the levels apart; until it is answered all are shown', () => {
  open()
  const question = within(screen.getByRole('group', { name: 'Which of these is you?' }))
  expect(question.getAllByRole<HTMLInputElement>('radio').map(({ value, checked }) => [value, checked])).toEqual([
    ['practice', false],
    ['training', false],
    ['aims', false],
  ])
  const audiences = screen.getAllByRole('article').map((card) => card.dataset['audience'])
  expect(audiences).toEqual(['practice', 'practice', 'training', undefined])
})

test('one button is solid: the recommended level of the answer', async () => {
  const { person } = open()
  expect(solidButtons()).toEqual(['plan-annual_member'])
  await person.click(screen.getByRole('radio', { name: /I am in training/ }))
  expect(solidButtons()).toEqual(['plan-resident_fellow'])
})

test('what officers say stands on the card of the level with that name', () => {
  open()
  const [card, other] = screen.getAllByRole('article')
  expect(
    within(card!)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['A vote', 'Lectures for credit'])
  within(card!).getByText('We email you before it renews.')
  expect(within(other!).queryByRole('list')).toBeNull()
  expect(screen.queryByText('Nothing')).toBeNull()
})

test('a member’s words, a word for each answer, and questions', async () => {
  const { person } = open()
  screen.getByText('I came for one lecture.')
  screen.getByText('Can I stop?')
  screen.getByText('Not sure which one fits?')
  await person.click(screen.getByRole('radio', { name: /I am in training/ }))
  screen.getByText('Your first mentor is near.')
  expect(screen.queryByText('Not sure which one fits?')).toBeNull()
})

test('without anything from officers there is no question, and the page closes up', () => {
  open(plainJoinPage)
  expect(screen.queryByRole('group', { name: 'Which of these is you?' })).toBeNull()
  expect(screen.queryByText('Before you join')).toBeNull()
  expect(screen.getAllByRole('article')).toHaveLength(4)
  screen.getByRole('link', { name: 'Questions about joining and dues' })
})

test('a visitor who is a member already finds the way to renew', () => {
  open()
  const ways = screen.getAllByRole('link', { name: 'Log in to renew' }).map((link) => link.getAttribute('href'))
  expect(ways).toEqual(['/auth/login?next=%2Fbecome-a-member', '/auth/login?next=%2Fbecome-a-member'])
})

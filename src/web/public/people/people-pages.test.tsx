import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useFakeApi } from '#tests/support/web/fake-api.ts'
import CommitteesPage from './committees.tsx'
import LeadersPage from './leaders.tsx'
import PastPresidentsPage from './past-presidents.tsx'
import { plainHead, renderPage } from '#tests/support/web/page-test-helpers.tsx'

useFakeApi()

test('the pages of the boards lead to each other', () => {
  const bodies = [
    { path: '/executive-committee', label: 'Executive Committee' },
    { path: '/board-directors', label: 'Directors' },
  ]
  renderPage(LeadersPage, {
    at: '/executive-committee',
    loaderData: { key: 'executive-committee', title: 'Executive Committee', body: null, bodies },
  })
  const chips = within(screen.getByRole('navigation', { name: 'Boards' })).getAllByRole('link')
  expect(chips.map((chip) => [chip.textContent, chip.getAttribute('aria-current')])).toEqual([
    ['Executive Committee', 'page'],
    ['Directors', null],
  ])
})

test.each([
  [
    'the board of directors',
    LeadersPage,
    { key: 'board-directors', title: 'Board of Directors', body: null, bodies: [] },
    'Board of Directors',
  ],
  ['the committees', CommitteesPage, { list: null, head: plainHead }, 'Committees'],
  ['the past presidents', PastPresidentsPage, { presidents: [] }, 'Past Presidents'],
])('%s say whom to ask while no one is listed', (_, Page, loaderData, title) => {
  renderPage(Page, { at: '/people', loaderData })
  screen.getByRole('heading', { level: 1, name: title })
  screen.getByRole('heading', { level: 2, name: 'No one is listed here yet' })
  expect(screen.getByRole('link', { name: 'office@example.org' }).getAttribute('href')).toBe(
    'mailto:office@example.org',
  )
})

test('committees have their chair, the other members and a way to join', () => {
  const list = {
    term: '2024-25',
    committees: [
      { id: 'clinic', title: 'Free Clinic', blurb: 'Open.', members: ['A', 'B', 'C'], portrait: 'portrait-teal-sari' },
      { id: 'new', title: 'New', blurb: 'Soon.', members: [], portrait: null },
    ],
  }
  renderPage(CommitteesPage, { at: '/committees', loaderData: { list, head: plainHead } })
  screen.getByRole('heading', { level: 1, name: 'Committees 2024-25' })
  const card = screen.getByRole('heading', { level: 2, name: 'Free Clinic' }).closest('li') as HTMLElement
  expect(card.querySelector('img')?.getAttribute('src')).toBe('/art/portrait-teal-sari.svg')
  expect(within(card).getByText('Chair').nextElementSibling?.textContent).toBe('A')
  const others = within(card).getByRole('list', { name: 'Other members of Free Clinic' })
  expect(
    within(others)
      .getAllByRole('listitem')
      .map((one) => one.textContent),
  ).toEqual(['B', 'C'])
  const join = screen.getByRole('link', { name: 'Join this committee: Free Clinic' })
  expect(join.getAttribute('href')).toBe('/contact?subject=Committee%3A+Free+Clinic')
  const empty = screen.getByRole('heading', { level: 2, name: 'New' }).closest('li') as HTMLElement
  expect([empty.querySelector('img'), within(empty).queryByText('Chair')]).toEqual([null, null])
})

test('past presidents have their years, decade by decade', () => {
  const presidents = [
    { name: 'Dr. Late', year: 2025 },
    { name: 'Dr. Before', year: 2020 },
    { name: 'Dr. Early', year: 1989 },
  ]
  renderPage(PastPresidentsPage, { at: '/past-presidents', loaderData: { presidents } })
  screen.getByText('The presidents who led us, 1989 to 2025.')
  const decades = screen.getAllByRole('region').map((decade) => decade.textContent)
  expect(decades).toEqual(['2020s2025 Dr. Late2020 Dr. Before', '1980s1989 Dr. Early'])
})

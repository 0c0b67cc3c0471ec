import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useFakeApi } from '#tests/support/web/fake-api.ts'
import CommitteesPage from './committees.tsx'
import FaqsPage from './faqs.tsx'
import InformationPage from './information.tsx'
import LeadersPage from './leaders.tsx'
import PastPresidentsPage from './past-presidents.tsx'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'

useFakeApi()

const body = {
  key: 'executive-committee',
  title: 'Executive Committee 2025-26',
  term: '2025-26',
  lead: 'Six volunteers.',
  members: [
    { name: 'Dr. Meera Raghuvanshi', role: 'President', location: 'Macon, Georgia' },
    { name: 'Dr. Tejas Amin', role: null, location: null },
  ],
}

test('leaders have name, role and town', () => {
  renderPage(LeadersPage, { at: '/executive-committee', loaderData: { key: body.key, body, images: [] } })
  screen.getByRole('heading', { level: 1, name: 'Executive Committee 2025-26' })
  const chips = within(screen.getByRole('navigation', { name: 'Boards' })).getAllByRole('link')
  expect(chips.map((chip) => [chip.textContent, chip.getAttribute('aria-current')])).toEqual([
    ['Executive Committee', 'page'],
    ['Board of Directors', null],
    ['Board of Trustees', null],
  ])
  const first = screen.getByRole('heading', { level: 2, name: 'Dr. Meera Raghuvanshi' }).closest('li')
  within(first as HTMLElement).getByRole('heading', { level: 2, name: 'Dr. Meera Raghuvanshi' })
  within(first as HTMLElement).getByText('President')
  within(first as HTMLElement).getByText('Macon, Georgia')
})

test.each([
  [['President', 'President Elect', 'Treasurer'], 2],
  [['Chair', null, null], 1],
  [[null, null, null], 0],
])('of people with the roles %j, %i lead', (roles, leads) => {
  const members = roles.map((role, at) => ({ name: `Dr. Person ${at}`, role, location: null }))
  const loaderData = { key: body.key, body: { ...body, title: 'The board', members }, images: [] }

  const { container } = renderPage(LeadersPage, { at: '/executive-committee', loaderData })
  expect(container.querySelectorAll('.lead-person')).toHaveLength(leads)
  screen.getByText('Term 2025-26')
})

test.each([
  ['the board of directors', LeadersPage, { key: 'board-directors', body: null }, 'Board of Directors'],
  ['the committees', CommitteesPage, { list: null }, 'Committees'],
  ['the past presidents', PastPresidentsPage, { presidents: [] }, 'Past Presidents'],
])('%s say whom to ask while no one is listed', (_, Page, loaderData, title) => {
  renderPage(Page, { at: '/people', loaderData })
  screen.getByRole('heading', { level: 1, name: title })
  screen.getByRole('heading', { level: 2, name: 'No one is listed here yet' })
  expect(screen.getByRole('link', { name: 'office@example.org' }).getAttribute('href')).toBe(
    'mailto:office@example.org',
  )
})

test('a portrait is shown with the leader it was chosen for, and with no one else', () => {
  const image = { key: 'team/a.jpg', url: '/media/exec/team/a.jpg', filename: 'a.jpg', size: 1, lastModified: '' }
  const [first] = body.members
  const images = [
    { ...image, url: '/forum.jpg', person: { list: 'forum', name: first?.name } },
    { ...image, url: '/hers.jpg', person: { list: 'leaders', name: first?.name } },
  ]
  renderPage(LeadersPage, { at: '/executive-committee', loaderData: { key: body.key, body, images } })
  const portraits = screen.getAllByRole('img', { name: /^Portrait of/ })
  expect(portraits.map((one) => one.getAttribute('src'))).toEqual(['/hers.jpg'])
  screen.getByRole('img', { name: `Portrait of ${first?.name}` })
})

test('committees list their members under their names', () => {
  const list = {
    term: '2024-25',
    committees: [{ id: 'clinic', title: 'Free Clinic', blurb: 'Keeps it open.', members: ['A', 'B'] }],
  }
  renderPage(CommitteesPage, { at: '/committees', loaderData: { list } })
  screen.getByRole('heading', { level: 1, name: 'Committees 2024-25' })
  expect(within(screen.getByRole('list', { name: 'Members of Free Clinic' })).getAllByRole('listitem')).toHaveLength(2)
  const join = screen.getByRole('link', { name: 'Join this committee: Free Clinic' })
  expect(join.getAttribute('href')).toBe('/contact?subject=Committee%3A+Free+Clinic')
})

test('past presidents have their years', () => {
  const presidents = [
    { name: 'Dr. Late', year: 2025 },
    { name: 'Dr. Early', year: 1989 },
  ]
  renderPage(PastPresidentsPage, { at: '/past-presidents', loaderData: { presidents } })
  screen.getByText('The presidents who led us, 1989 to 2025.')
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['Dr. Late2025', 'Dr. Early1989'])
})

test('questions open to their answers, and a search leaves the ones that fit', async () => {
  const entries = [
    { question: 'Who may join?', answer: '<p>Physicians.</p>' },
    { question: 'What are the dues?', answer: '<p>$100 a year.</p>' },
  ]
  const { person } = renderPage(FaqsPage, { at: '/faqs', loaderData: { entries } })
  const shown = () => screen.getAllByRole('group').map((fold) => fold.textContent)
  expect(shown()).toEqual(['Who may join?Physicians.', 'What are the dues?$100 a year.'])
  expect(document.getElementById('what-are-the-dues')?.textContent).toBe('$100 a year.')
  const search = screen.getByRole('searchbox', { name: 'Search the questions' })
  await person.type(search, 'year')
  expect(shown()).toEqual(['What are the dues?$100 a year.'])
  await person.type(search, ' parking')
  screen.getByText(/^No question has these words/)
  expect(screen.getByRole('link', { name: 'Ask us' }).getAttribute('href')).toBe('/contact')
})

test('a text page has its aims, facts and links', () => {
  renderPage(InformationPage, {
    at: '/about',
    loaderData: {
      slug: 'about',
      title: 'Our Mission',
      description: 'd',
      html: '<h2>Who we are</h2>',
      version: '1',
      updatedOn: '2026-11-01',
      lead: 'Since 1987.',
      picture: { name: 'hero-paisley', alt: 'A paisley' },
      facts: [{ label: 'Founded', value: '1987' }],
      items: [{ title: 'Education', text: 'Lectures.', spot: 'lamp' }],
      more: [{ label: 'FAQs', path: '/faqs' }],
    },
  })
  screen.getByRole('heading', { level: 2, name: 'Education' })
  screen.getByRole('heading', { level: 2, name: 'Who we are' })
  screen.getByRole('img', { name: 'A paisley' })
  const panel = screen.getByRole('complementary', { name: 'At a glance' })
  within(panel).getByText('1987')
  expect(within(panel).getByRole('link', { name: 'FAQs' }).getAttribute('href')).toBe('/faqs')
})

import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { TextPage } from '#contract/public/association.ts'
import { useFakeApi } from '#tests/support/web/fake-api.ts'
import InformationPage from './information.tsx'
import LegalPage from './text-page.tsx'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'

useFakeApi()

const page: TextPage = {
  slug: 'about',
  title: 'Our Mission',
  description: 'd',
  html: '<h2 id="who">Who we are</h2><p>Physicians.</p><h2 id="join">Join us</h2><p>Please.</p>',
  version: '2026-11-01',
  updatedOn: '2026-11-01',
  lead: 'Since 1987.',
  picture: { name: 'hero-paisley', alt: 'A paisley' },
  facts: [{ label: 'Founded', value: '1987' }],
  items: [],
  itemsTitle: null,
  more: [{ label: 'FAQs', path: '/faqs' }],
  statement: null,
  quote: null,
  timeline: { title: null, entries: [] },
  eligibility: { can: [], cannot: [] },
  cards: [],
  action: null,
  countdown: null,
  contents: [],
}

function show(over: Partial<TextPage> = {}, officers: object | null = null) {
  return renderPage(InformationPage, {
    at: '/about',
    loaderData: { page: { ...page, ...over }, officers, images: [] },
  })
}

test('a page with the fields of old has its text, picture, facts and links, and nothing else', () => {
  show()
  screen.getByRole('heading', { level: 1, name: 'Our Mission' })
  screen.getByRole('heading', { level: 2, name: 'Who we are' })
  screen.getByRole('img', { name: 'A paisley' })
  const panel = screen.getByRole('complementary', { name: 'At a glance' })
  within(panel).getByText('1987')
  expect(within(panel).getByRole('link', { name: 'FAQs' }).getAttribute('href')).toBe('/faqs')
  expect(screen.getAllByRole('heading').map((one) => one.textContent)).toEqual(['Our Mission', 'Who we are', 'Join us'])
  expect(screen.queryByRole('figure', { name: /./ })).toBeNull()
})

test('a page shows headline, aims, quotation, timeline, officers and cards', () => {
  const officer = { name: 'Dr. Meera Raghuvanshi', role: 'President', portrait: 'portrait-marigold-sari', bio: [] }
  const { container } = show(
    {
      statement: 'It starts with a lecture.',
      itemsTitle: 'One aim',
      items: [{ title: 'Education', text: 'Lectures.', spot: 'lamp' }],
      quote: { text: 'I came for a lecture.', name: 'Dr. Elizabeth Cherian', detail: 'Chair' },
      timeline: {
        title: 'Two pictures',
        entries: [{ year: '1987', title: 'The first meeting', text: 'Eleven physicians.', picture: 'news-founders' }],
      },
      cards: [
        { title: 'Our bylaws', text: 'Who may vote.', link: { label: 'Download', path: '/documents/bylaws.pdf' } },
        { title: 'No link', text: 'Only text.', link: null },
      ],
    },
    { members: [officer] },
  )
  screen.getByText('It starts with a lecture.')
  screen.getByRole('heading', { level: 2, name: 'One aim' })
  screen.getByRole('heading', { level: 3, name: 'Education' })
  screen.getByText('I came for a lecture.')
  // The quotation stands after the first section.
  expect(container.querySelector('.words')?.textContent).toMatch(/Physicians\.I came for a lecture\..*Join us/)
  screen.getByRole('heading', { level: 2, name: 'Two pictures' })
  screen.getByRole('heading', { level: 3, name: 'The first meeting' })
  const names = within(screen.getByRole('region', { name: 'Elected to serve' }))
  expect(names.getByRole('link', { name: 'Dr. Meera Raghuvanshi' }).getAttribute('href')).toBe('/executive-committee')
  expect(screen.getByRole('link', { name: 'Download' }).getAttribute('href')).toBe('/documents/bylaws.pdf')
})

test('while applications are open the page says so, and its button starts an email', () => {
  show({
    countdown: { day: '2026-11-30', days: 8 },
    action: { label: 'Apply by email', path: null, subject: 'Scholarship & awards', body: 'My full name:\nSchool:' },
    eligibility: { can: ['In 11th grade or above'], cannot: ['Already in medical school'] },
  })
  const bar = within(screen.getByRole('region', { name: 'Deadline' }))
  bar.getByText('Applications close in 8 days.')
  bar.getByText('Monday, November 30 is the last day.')
  const buttons = screen.getAllByRole('link', { name: 'Apply by email' })
  expect(buttons.map((one) => one.getAttribute('href'))).toEqual([
    'mailto:office@example.org?subject=Scholarship%20%26%20awards&body=My%20full%20name%3A%0D%0ASchool%3A',
    'mailto:office@example.org?subject=Scholarship%20%26%20awards&body=My%20full%20name%3A%0D%0ASchool%3A',
  ])
  const listed = (name: string) => screen.getByRole('heading', { level: 2, name }).parentElement?.querySelector('li')
  expect(listed('Who can apply')?.textContent).toBe('In 11th grade or above')
  expect(listed('Who can’t')?.textContent).toBe('Already in medical school')
})

test('an action may lead to a page', () => {
  show({ action: { label: 'Become a Member', path: '/become-a-member', subject: null, body: null } })
  expect(screen.getByRole('link', { name: 'Become a Member' }).getAttribute('href')).toBe('/become-a-member')
})

test('a long legal page lists its headings and says since when it is in force', () => {
  const contents = [{ id: 'who', title: 'Who we are' }]
  renderPage(LegalPage, { at: '/privacy-policy', loaderData: { ...page, title: 'Privacy policy', contents } })
  const list = within(screen.getByRole('navigation', { name: 'On this page' }))
  const href = list.getByRole('link', { name: 'Who we are' }).getAttribute('href') ?? ''
  expect(document.querySelector(href)?.textContent).toBe('Who we are')
  expect(screen.getByText('November 1, 2026').getAttribute('datetime')).toBe('2026-11-01')
  screen.getByText('Version 2026-11-01')
})

test('a short legal page has no list of contents', () => {
  renderPage(LegalPage, { at: '/terms-conditions', loaderData: page })
  expect(screen.queryByRole('navigation')).toBeNull()
})

import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { NewsCategory, NewsItem } from '#contract/public/news.ts'
import { useFakeApi } from '#tests/support/web/fake-api.ts'
import NewsPage, { meta } from './news.tsx'
import { plainHead, renderPage } from '#tests/support/web/page-test-helpers.tsx'

useFakeApi()

function newsItem(id: string, category: NewsCategory): NewsItem {
  return {
    id,
    title: `About ${id}`,
    date: '2026-11-02',
    excerpt: 'In short.',
    category,
    author: 'Free Clinic Committee',
    imageKey: 'clinic',
  }
}

const items = [
  newsItem('chair', 'announcement'),
  newsItem('well', 'news'),
  newsItem('book', 'member-news'),
  newsItem('forum', 'news'),
]

function renderNews(address: string, category: string | null, list = items) {
  return renderPage(NewsPage, { at: address, loaderData: { items: list, head: plainHead, category } })
}

function titles() {
  return screen.queryAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)
}

test('the chips name every category with its count and address, all news without a query', () => {
  renderNews('/news', null)
  const chips = within(screen.getByRole('navigation', { name: 'Categories' })).getAllByRole('link')
  expect(chips.map((chip) => [chip.textContent, chip.getAttribute('href')])).toEqual([
    ['All News 4', '/news'],
    ['General News 2', '/news?category=news'],
    ['Announcements 1', '/news?category=announcement'],
    ['Member News 1', '/news?category=member-news'],
  ])
  expect(screen.getByRole('link', { current: true }).textContent).toBe('All News 4')
  expect(titles()).toEqual(['About chair', 'About well', 'About book', 'About forum'])
})

test('a chip filters and changes the URL, and All News removes the query', async () => {
  const { person } = renderNews('/news', null)
  await person.click(screen.getByRole('link', { name: 'General News 2' }))
  await waitFor(() => expect(titles()).toEqual(['About well', 'About forum']))
  expect(screen.getByRole('link', { current: true }).textContent).toBe('General News 2')
  expect(screen.getByText('2 items').getAttribute('role')).toBe('status')
  await person.click(screen.getByRole('link', { name: 'All News 4' }))
  await waitFor(() => expect(titles()).toHaveLength(4))
})

test('a URL with a category opens with it', () => {
  renderNews('/news?category=member-news', 'member-news')
  expect(titles()).toEqual(['About book'])
  screen.getByRole('heading', { level: 2, name: 'Member News' })
})

test('an unknown category finds no news, and leads back to all', async () => {
  const { person } = renderNews('/news?category=gossip', null)
  screen.getByRole('heading', { level: 2, name: 'No news found' })
  expect(screen.queryByRole('link', { current: true })).toBeNull()
  await person.click(screen.getByRole('link', { name: 'View all news' }))
  await waitFor(() => expect(titles()).toHaveLength(4))
})

test('no news at all is no news found', () => {
  renderNews('/news', null, [])
  screen.getByRole('heading', { level: 2, name: 'No news found' })
})

test('a card shows category, date and author, and links to the article', () => {
  renderNews('/news?category=announcement', 'announcement')
  const card = screen.getByRole('article')
  within(card).getByText('November 2, 2026')
  within(card).getByText(/^Announcement,/)
  within(card).getByText('Free Clinic Committee')
  expect(within(card).getByRole('link', { name: 'About chair' }).getAttribute('href')).toBe('/news/chair')
})

test('the feed is linked and declared in the head', () => {
  renderNews('/news', null)
  expect(screen.getByRole('link', { name: 'the news feed' }).getAttribute('href')).toBe('/news.rss')
  expect(meta({ matches: [] } as never)).toContainEqual(
    expect.objectContaining({ rel: 'alternate', type: 'application/rss+xml', href: '/news.rss' }),
  )
})

import { cleanup, render, screen } from '@testing-library/react'
import { createRoutesStub } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import type { NewsItem } from '#contract/public/news.ts'
import { LatestNews } from './latest-news.tsx'

function renderNews(count: number) {
  const items = Array.from({ length: count }, (_, index): NewsItem => ({
    id: `item-${index}`,
    title: `Item ${index}`,
    date: '2026-11-02',
    excerpt: 'In short.',
    category: 'news',
    author: 'Dr. Rao',
    imageKey: 'clinic',
  }))
  const Stub = createRoutesStub([{ path: '/', Component: () => <LatestNews items={items} /> }])
  return render(<Stub />)
}

afterEach(cleanup)

test.each([
  [1, 1],
  [3, 3],
  [8, 5],
])('of %i items %i are shown, with a link to all news', (count, shown) => {
  renderNews(count)
  screen.getByRole('heading', { level: 2, name: 'Latest news' })
  expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(shown)
  expect(screen.getByRole('link', { name: 'Item 0' }).getAttribute('href')).toBe('/news/item-0')
  expect(screen.getByRole('link', { name: 'View All News' }).getAttribute('href')).toBe('/news')
})

test('the section is left out without news', () => {
  const { container } = renderNews(0)
  expect(container.textContent).toBe('')
})

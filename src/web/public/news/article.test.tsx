import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { NewsArticle } from '#contract/public/news.ts'
import { useFakeApi } from '#tests/support/web/fake-api.ts'
import ArticlePage, { loader, meta } from './article.tsx'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'

useFakeApi()

const article: NewsArticle = {
  id: 'chair',
  title: 'A second chair',
  date: '2026-11-02',
  excerpt: 'Carried up one flight.',
  category: 'announcement',
  author: 'Free Clinic Committee',
  imageKey: 'clinic',
  html: '<p>It is blue.</p>',
}

test('an article has its author, date, text and links to its neighbors', () => {
  renderPage(ArticlePage, {
    at: '/news/chair',
    loaderData: { article, newer: { id: 'well', title: 'A well' }, older: undefined },
  })
  screen.getByRole('heading', { level: 1, name: 'A second chair' })
  screen.getByText('Announcement')
  screen.getByText(/Free Clinic Committee/)
  expect(screen.getByText('November 2, 2026').getAttribute('datetime')).toBe('2026-11-02')
  screen.getByText('It is blue.')
  const links = screen.getByRole('navigation', { name: 'More news' })
  expect(within(links).getByRole('link', { name: 'Next A well' }).getAttribute('href')).toBe('/news/well')
  expect(within(links).getByRole('link', { name: 'All news' }).getAttribute('href')).toBe('/news')
  expect(within(links).queryByRole('link', { name: /Previous/ })).toBeNull()
})

test('structured data has the author and date, and the share image is set', () => {
  const contents = { siteUrl: 'https://www.example.org', association: { name: 'The Association' } }
  const tags = meta({ matches: [{ id: 'root', loaderData: contents }], loaderData: { article } } as never)
  const url = 'https://www.example.org/news/chair'
  expect(tags).toContainEqual({
    'script:ld+json': {
      '@context': 'https://schema.org',
      '@type': 'NewsArticle',
      headline: 'A second chair',
      description: 'Carried up one flight.',
      datePublished: '2026-11-02',
      articleSection: 'Announcement',
      author: { '@type': 'Organization', name: 'Free Clinic Committee' },
      image: ['https://www.example.org/art/share/clinic.png'],
      url,
      mainEntityOfPage: url,
      publisher: { '@type': 'Organization', name: 'The Association', url: 'https://www.example.org' },
    },
  })
  expect(tags).toContainEqual({ property: 'og:image', content: 'https://www.example.org/art/share/clinic.png' })
})

function load(id: string) {
  const items = ['newest', 'middle', 'oldest'].map((name) => ({ ...article, id: name, title: name }))
  const services = {
    article: async (wanted: string) => items.find((item) => item.id === wanted) ?? null,
    news: async () => items,
  }
  return loader({ params: { id }, context: { get: () => services } } as never)
}

test('an article knows its neighbors, and a missing one is 404', async () => {
  expect(await load('middle')).toMatchObject({ newer: { id: 'newest' }, older: { id: 'oldest' } })
  const newest = await load('newest')
  expect([newest.newer, newest.older?.id]).toEqual([undefined, 'middle'])
  await expect(load('none')).rejects.toMatchObject({ init: { status: 404 } })
})

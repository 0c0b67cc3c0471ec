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

const well: NewsArticle = { ...article, id: 'well', title: 'A well', date: '2026-10-02' }

test('an article has its author with a role, date, text, what it is about, and more news', () => {
  renderPage(ArticlePage, {
    at: '/news/chair',
    loaderData: {
      article: { ...article, authorRole: 'Norcross', about: { label: 'The clinic', path: '/clinic' } },
      more: [well],
      writer: null,
    },
  })
  screen.getByRole('heading', { level: 1, name: 'A second chair' })
  screen.getByText('Announcement')
  screen.getByText(/Free Clinic Committee, Norcross/)
  expect(screen.getByRole('link', { name: 'The clinic' }).getAttribute('href')).toBe('/clinic')
  expect(screen.getByText('November 2, 2026').getAttribute('datetime')).toBe('2026-11-02')
  screen.getByText('It is blue.')
  const more = within(screen.getByRole('region', { name: 'More news' }))
  expect(more.getByRole('link', { name: 'A well' }).getAttribute('href')).toBe('/news/well')
  expect(more.getByRole('link', { name: 'All news' }).getAttribute('href')).toBe('/news')
})

test('an article that is about no page, and the only one, closes up', () => {
  renderPage(ArticlePage, { at: '/news/chair', loaderData: { article, more: [], writer: null } })
  expect(screen.queryByRole('complementary')).toBeNull()
  expect(screen.queryByRole('region', { name: 'More news' })).toBeNull()
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

const leader = (name: string, portrait: string | null) => ({ name, portrait, role: 'Director' })

function load(id: string, author = article.author) {
  const items = ['newest', 'new', 'middle', 'old', 'oldest'].map((name) => ({
    ...article,
    author,
    id: name,
    title: name,
    category: name === 'old' ? ('news' as const) : article.category,
  }))
  const services = {
    article: async (wanted: string) => items.find((item) => item.id === wanted) ?? null,
    news: async () => items,
    pictures: async () => [],
    leaderBody: async (key: string) =>
      key === 'board-directors'
        ? { key, members: [leader('Dr. Anjali Deshpande', 'portrait-sage-coat'), leader('Dr. Devika Nambiar', null)] }
        : null,
  }
  return loader({ params: { id }, context: { get: () => services } } as never)
}

test('more news are the nearest ones, of the same category first; a missing article is 404', async () => {
  expect((await load('middle')).more.map(({ id }) => id)).toEqual(['new', 'newest'])
  expect((await load('oldest')).more.map(({ id }) => id)).toEqual(['middle', 'new'])
  await expect(load('none')).rejects.toMatchObject({ init: { status: 404 } })
})

test('a leader who wrote it is shown with portrait and office', async () => {
  const { writer } = await load('middle', 'Dr. Anjali Deshpande')
  expect(writer).toEqual({
    role: 'Director',
    path: '/board-directors',
    portrait: { src: '/art/portrait-sage-coat.svg', alt: '' },
  })
  renderPage(ArticlePage, {
    at: '/news/chair',
    loaderData: { article: { ...article, author: 'Dr. Anjali Deshpande' }, more: [], writer },
  })
  const link = screen.getByRole('link', { name: 'Dr. Anjali Deshpande' })
  expect(link.getAttribute('href')).toBe('/board-directors')
  expect(link.parentElement?.textContent).toBe('Dr. Anjali DeshpandeDirector, November 2, 2026')
})

test('a committee, and a leader without a portrait, are only named', async () => {
  expect((await load('middle')).writer).toBeNull()
  expect((await load('middle', 'Dr. Devika Nambiar')).writer).toBeNull()
})

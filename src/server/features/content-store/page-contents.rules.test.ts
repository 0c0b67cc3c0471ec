import { expect, test } from 'vitest'
import { renderMarkdown } from '#server/features/content-store/markdown.rules.ts'
import { withContents } from './page-contents.rules.ts'

const long = 'word '.repeat(701)

test('headings get ids, and a long page lists them', () => {
  const { html, contents } = withContents(renderMarkdown(`## Dues & *renewal*\n\n${long}\n\n## Who?\n\n## Who?`))
  expect(contents).toEqual([
    { id: 'dues-renewal', title: 'Dues & renewal' },
    { id: 'who', title: 'Who?' },
    { id: 'who-3', title: 'Who?' },
  ])
  expect([...html.matchAll(/<h2 id="([^"]*)">/g)].map(([, id]) => id)).toEqual(contents.map(({ id }) => id))
})

test.each([
  [700, 0],
  [701, 1],
])('a page of %i words lists %i headings', (words, listed) => {
  const { html, contents } = withContents(`<h2>Title</h2><p>${'word '.repeat(words - 1)}</p>`)
  expect(contents).toHaveLength(listed)
  expect(html).toContain('<h2 id="title">Title</h2>')
})

import { describe, expect, test } from 'vitest'
import type { ImportItem } from '#contract/console/website/content-import.ts'
import { chooseId, judgeItem, oldPath, pictureHosts, picturesToFetch, toValue } from './content-import.rules.ts'

const item: ImportItem = {
  kind: 'news',
  address: 'https://www.old.example/a/',
  otherPaths: [],
  title: 'Gala',
  slug: '',
  isPublished: true,
  date: '2019-05-04',
  author: '',
  excerpt: '',
  text: 'Words.',
  picture: '',
  pictureAlt: '',
  time: '',
  location: '',
  notes: [],
  obstacle: '',
}
const nothing = { pictureOf: () => null, pathOf: () => null, association: 'The Association' }

test.each([
  ['https://www.old.example/A/b/?x=1#top', '/a/b?x=1'],
  ['http://old.example/a', '/a'],
  ['/a/', '/a'],
  ['?p=3', '/?p=3'],
  ['https://elsewhere.example/a', null],
  ['mailto:a@old.example', null],
  ['javascript:alert(1)', null],
])('the old path of %s is %s', (address, path) => {
  expect(oldPath(address, 'https://www.old.example')).toBe(path)
})

test('pictures are asked for at the host of the export alone', () => {
  expect([...pictureHosts('https://www.old.example/blog')]).toEqual(['www.old.example', 'old.example'])
  expect(pictureHosts('https://peach.wordpress.com')).toContain('peach.files.wordpress.com')
  expect(pictureHosts('nonsense')).toEqual(new Set())
})

test('an id follows the old address, or else the title, and is free', () => {
  const isTaken = (id: string) => ['gala', 'gala-2'].includes(id)
  expect(chooseId({ slug: '', title: 'Gala!' }, isTaken)).toBe('gala-3')
  expect(chooseId({ slug: 'spring-gala', title: 'Gala!' }, isTaken)).toBe('spring-gala')
  expect(chooseId({ slug: '%E2%80', title: '' }, isTaken)).toBe('e2-80')
})

test('a text of many pictures gets the first forty, and says so', () => {
  const text = Array.from({ length: 41 }, (_, index) => `![](https://old.example/${index}.jpg)`).join(' ')
  expect(picturesToFetch({ ...item, text })).toHaveLength(40)
  expect(judgeItem({ ...item, text }, { isKnown: false }).notes).toEqual([
    'It has more than 40 pictures. The others are left out.',
  ])
})

describe('a value', () => {
  test('has what its kind requires although the post lacks it', () => {
    expect(toValue(item, 'gala', nothing)).toEqual({
      title: 'Gala',
      date: '2019-05-04',
      category: 'news',
      author: 'The Association',
      excerpt: 'Words.',
      imageKey: 'news-page',
      content: 'Words.',
    })
  })

  test('has a short summary without Markdown', () => {
    const text = `## Head\n\n- **One** [two](https://a.example) \\* ${'word '.repeat(80)}`
    const { excerpt } = toValue({ ...item, text }, 'gala', nothing) as { excerpt: string }
    expect(excerpt).toMatch(/^Head One two \* word .*word…$/)
    expect(excerpt.length).toBeLessThanOrEqual(281)
  })

  test('has no link around a picture that is missing, no control characters, and other links as they were', () => {
    const text =
      'A\u0008\u202e [![x](https://old.example/x.jpg)](https://a.example) ![y](https://old.example/y.jpg) [z](https://b.example)'
    const pictureOf = (url: string) => (url.endsWith('y.jpg') ? '/media/y.jpg' : null)
    const value = toValue({ ...item, text }, 'gala', { ...nothing, pictureOf })
    expect(value['content']).toBe('A  ![y](/media/y.jpg) [z](https://b.example)')
    expect(value['imageKey']).toBe('/media/y.jpg')
  })

  test('of an event without a place and a page without a picture is complete', () => {
    expect(toValue({ ...item, kind: 'event', date: 'May 4, 2030' }, 'gala', nothing)).toMatchObject({
      location: 'To be announced',
      detailsLink: '/events/gala',
      imageKey: ['event-lecture'],
    })
    expect(toValue({ ...item, kind: 'page' }, 'gala', nothing)).toEqual({
      title: 'Gala',
      address: 'gala',
      description: 'Words.',
      markdown: 'Words.',
      menu: 'none',
    })
  })
})

test.each(['[', '![', ' ', '\n', '[a', '- '])('a hostile text takes as long as its length: %j', (part) => {
  const text = part.repeat(100_000)
  expect(judgeItem({ ...item, text }, { isKnown: false }).verdict).toBe('wrong')
  expect(toValue({ ...item, text }, 'gala', nothing)).toMatchObject({ title: 'Gala' })
})

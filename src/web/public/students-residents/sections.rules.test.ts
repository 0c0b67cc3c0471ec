import { describe, expect, test } from 'vitest'
import { groupForumSections, splitIntoSections } from './sections.rules.ts'

describe('the sections of a page', () => {
  test.each([
    ['', []],
    ['<p>Only words</p>', [{ title: '', html: '<p>Only words</p>' }]],
    [
      '<p>Before</p>\n<h2>Our <em>aim</em></h2>\n<p>One</p><h3>Deeper</h3>\n<h2 id="b">Next</h2>',
      [
        { title: '', html: '<p>Before</p>' },
        { title: 'Our aim', html: '<p>One</p><h3>Deeper</h3>' },
        { title: 'Next', html: '' },
      ],
    ],
  ])('of %j', (html, sections) => {
    expect(splitIntoSections(html)).toEqual(sections)
  })
})

test('mission and vision, joining and the rest are assigned to their places', () => {
  const html = ['Our mission', 'What we do', 'Join the forum', 'Our vision', 'Adjoining rooms']
    .map((title) => `<h2>${title}</h2><p>.</p>`)
    .join('')
  const { aims, join, others } = groupForumSections(html)
  expect(aims.map(({ title }) => title)).toEqual(['Our mission', 'Our vision'])
  expect(join?.title).toBe('Join the forum')
  expect(others.map(({ title }) => title)).toEqual(['What we do', 'Adjoining rooms'])
  expect(groupForumSections('<p>New</p>')).toEqual({
    aims: [],
    join: null,
    others: [{ title: '', html: '<p>New</p>' }],
  })
})

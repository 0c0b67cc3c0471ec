import { describe, expect, test } from 'vitest'
import { containsPicture, replacePictureUrls, withVersionedUrls } from './picture-uses.rules.ts'

const LAMP = '/media/home/articles/lamp.jpg'
const SAND = '/media/home/articles/sand.png'

describe('a text uses a picture', () => {
  test.each([
    ['alone', LAMP, true],
    ['in Markdown', `Look: ![A lamp](${LAMP}) there`, true],
    ['at the end of a sentence', `We keep it at ${LAMP}.`, true],
    ['with the mark of its version', `<img src="${LAMP}?v=abc-1">`, true],
    ['by its email version', '/media/home/articles/_sizes/lamp.jpg.mail.jpg', true],
    ['by a size', '/media/home/articles/_sizes/lamp.jpg.480.webp', true],
    ['with the name of the site', `https://site.example${LAMP}`, true],
    ['not when another begins with its name', `${LAMP}.png`, false],
    ['not when another goes on with it', `${LAMP}g`, false],
    ['not in another folder', '/media/home/hero/lamp.jpg', false],
    ['not by a name alone', 'lamp.jpg', false],
    ['not by another', SAND, false],
  ])('%s', (_, text, isNamed) => {
    expect(containsPicture(text, LAMP)).toBe(isNamed)
  })
})

test('replaces a picture at any depth and nothing else', () => {
  const value = {
    imageKey: [LAMP, 'event-diwali', `${LAMP}?v=1`],
    body: `![Lamp](${LAMP}), not ${LAMP}.png`,
    deep: [{ logo: LAMP, order: 3, none: null }],
  }
  expect(replacePictureUrls(value, LAMP, SAND)).toEqual({
    imageKey: [SAND, 'event-diwali', SAND],
    body: `![Lamp](${SAND}), not ${LAMP}.png`,
    deep: [{ logo: SAND, order: 3, none: null }],
  })
  expect(replacePictureUrls('a $& b', LAMP, SAND)).toBe('a $& b')
  expect(replacePictureUrls(LAMP, LAMP, '/x/$&.jpg')).toBe('/x/$&.jpg')
})

test('each picture gets its current versioned URL', () => {
  const versions = new Map([
    [LAMP, `${LAMP}?v=2`],
    [SAND, `${SAND}?v=7`],
  ])
  const value = { imageKey: LAMP, html: `<img src="${SAND}" /><img src="${LAMP}?v=1" />`, other: '/art/mark.svg' }
  expect(withVersionedUrls(value, versions)).toEqual({
    imageKey: `${LAMP}?v=2`,
    html: `<img src="${SAND}?v=7" /><img src="${LAMP}?v=1" />`,
    other: '/art/mark.svg',
  })
  expect(withVersionedUrls(value, new Map())).toBe(value)
})

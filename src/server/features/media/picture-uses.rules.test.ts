import { describe, expect, test } from 'vitest'
import { namesPicture, withPicture, withVersions } from './picture-uses.rules.ts'

const LAMP = '/media/home/articles/lamp.jpg'
const SAND = '/media/home/articles/sand.png'

describe('a picture is named', () => {
  test.each([
    ['alone', LAMP, true],
    ['in Markdown', `Look: ![A lamp](${LAMP}) there`, true],
    ['at the end of a sentence', `We keep it at ${LAMP}.`, true],
    ['with the mark of its version', `<img src="${LAMP}?v=abc-1">`, true],
    ['by the size that letters show', '/media/home/articles/_sizes/lamp.jpg.mail.jpg', true],
    ['by a size', '/media/home/articles/_sizes/lamp.jpg.480.webp', true],
    ['with the name of the site', `https://site.example${LAMP}`, true],
    ['not when another begins with its name', `${LAMP}.png`, false],
    ['not when another goes on with it', `${LAMP}g`, false],
    ['not in another folder', '/media/home/hero/lamp.jpg', false],
    ['not by a name alone', 'lamp.jpg', false],
    ['not by another', SAND, false],
  ])('%s', (_, text, isNamed) => {
    expect(namesPicture(text, LAMP)).toBe(isNamed)
  })
})

test('another is put in its place however deep it lies, and nothing else is touched', () => {
  const value = {
    imageKey: [LAMP, 'event-diwali', `${LAMP}?v=1`],
    body: `![Lamp](${LAMP}), not ${LAMP}.png`,
    deep: [{ logo: LAMP, order: 3, none: null }],
  }
  expect(withPicture(value, LAMP, SAND)).toEqual({
    imageKey: [SAND, 'event-diwali', SAND],
    body: `![Lamp](${SAND}), not ${LAMP}.png`,
    deep: [{ logo: SAND, order: 3, none: null }],
  })
  expect(withPicture('a $& b', LAMP, SAND)).toBe('a $& b')
  expect(withPicture(LAMP, LAMP, '/x/$&.jpg')).toBe('/x/$&.jpg')
})

test('each picture gets the address of its present version, once', () => {
  const versions = new Map([
    [LAMP, `${LAMP}?v=2`],
    [SAND, `${SAND}?v=7`],
  ])
  const value = { imageKey: LAMP, html: `<img src="${SAND}" /><img src="${LAMP}?v=1" />`, other: '/art/mark.svg' }
  expect(withVersions(value, versions)).toEqual({
    imageKey: `${LAMP}?v=2`,
    html: `<img src="${SAND}?v=7" /><img src="${LAMP}?v=1" />`,
    other: '/art/mark.svg',
  })
  expect(withVersions(value, new Map())).toBe(value)
})

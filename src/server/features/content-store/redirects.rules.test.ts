import { describe, expect, test } from 'vitest'
import { findRedirect, joinRedirects, parseRedirect, redirectKey, redirectLine } from './redirects.rules.ts'

describe('a line of redirects', () => {
  test.each([
    ['/2019/05/spring-gala/ /news/spring-gala', '/2019/05/spring-gala', '/news/spring-gala'],
    ['/old,/about', '/old', '/about'],
    ['"/old";"/about"', '/old', '/about'],
    ['/old\t/about', '/old', '/about'],
    ['/old → /about', '/old', '/about'],
    ['/old -> /about', '/old', '/about'],
    ['https://old.example.org/About-Us/?page_id=2#top /about', '/about-us?page_id=2', '/about'],
    ['/?p=123 /news/spring-gala', '/?p=123', '/news/spring-gala'],
    ['/caf%C3%A9/ /about', '/café', '/about'],
  ])('%s', (line, from, to) => {
    expect(parseRedirect(line)).toEqual({ from, to })
  })

  test.each([
    ['/old', /^Enter the old address/],
    ['/old /new /newer', /^Enter the old address/],
    ['old /about', /“old” is not an address/],
    ['/old https://elsewhere.example/', /is not a page of this site/],
    ['/old //elsewhere.example/', /is not a page of this site/],
    ['/old javascript:alert(1)', /is not a page of this site/],
    ['https://old.example.org /about', /home page cannot/],
    ['/About/ /about', /the same/],
  ])('%s is refused', (line, sentence) => {
    expect(parseRedirect(line)).toMatch(sentence)
  })
})

describe('an old address', () => {
  const isKnownPath = (path: string) => /^\/(?:\?.*|about|news\/gala|caf%C3%A9)?$/.test(path)
  const redirects = joinRedirects([
    ['/old /about', '/soon /news/draft', '/?p=1 /news/gala', '/a /b', '/b /a', '/?p=2 /?p=1', '/x?id=3 /news/gala'],
    ['/old /news/gala', '/unicode /caf%C3%A9', 'unreadable'],
  ])
  const find = (target: string, hasQueryOnly = false) => findRedirect(redirects, target, { isKnownPath, hasQueryOnly })

  test.each([
    ['/old', '/about'],
    ['/OLD/', '/about'],
    ['//old?utm_source=mail', '/about'],
    ['/%6Fld', '/about'],
    ['/?p=1', '/news/gala'],
    ['/X/?ID=3', '/news/gala'],
    ['/unicode', '/caf%C3%A9'],
  ])('%s leads to %s', (target, to) => {
    expect(find(target)).toBe(to)
  })

  test.each([
    ['whose page is a draft', '/soon'],
    ['that leads to another old one', '/a'],
    ['whose query is a redirect too', '/?p=2'],
    ['that no list has', '/elsewhere'],
    ['of another query', '/x?id=4'],
    ['that cannot be decoded', '/%E0%A4%A'],
  ])('%s leads nowhere', (_, target) => {
    expect(find(target)).toBeNull()
  })

  test('of a page that the site has counts only with its query', () => {
    expect([find('/?p=1', true), find('/old?x=1', true), find('/', true)]).toEqual(['/news/gala', null, null])
    expect(redirectKey('/a//b/?')).toBe('/a/b')
  })
})

test('a comma in an old address is encoded in its line, and found however it is asked for', () => {
  const lists = [[redirectLine('/gala,-dinner;x', '/news/dinner')]]
  expect(lists).toEqual([['/gala%2C-dinner%3Bx /news/dinner']])
  for (const asked of ['/gala,-dinner;x/', '/gala%2C-dinner%3bx'])
    expect(findRedirect(joinRedirects(lists), asked, { isKnownPath: () => true })).toBe('/news/dinner')
})

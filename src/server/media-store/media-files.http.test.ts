import { mkdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { fileVersion } from './disk-store.ts'

const app = useTestApp()
const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg">${'<path d="M0 0h4v4z"/>'.repeat(50)}</svg>`
let gallery = ''

beforeAll(() => {
  const media = join(app().config.dataDirectory, 'media')
  gallery = join(media, 'home', 'gallery')
  mkdirSync(join(gallery, '_sizes'), { recursive: true })
  mkdirSync(join(media, 'attic', 'hero'), { recursive: true })
  writeFileSync(join(app().config.dataDirectory, 'secret.jpg'), 'secret')
  writeFileSync(join(media, 'secret.jpg'), 'secret')
  writeFileSync(join(media, 'attic', 'hero', 'secret.jpg'), 'secret')
  symlinkSync(join(media, 'secret.jpg'), join(gallery, 'link.jpg'))
  for (const name of ['secret.txt', '.secret.jpg', 'secret.jpg.part']) writeFileSync(join(gallery, name), 'secret')
  writeFileSync(join(gallery, 'lamp.jpg'), 'picture')
  writeFileSync(join(gallery, 'Dr. Iyer #1.png'), 'doctor')
  writeFileSync(join(gallery, '_sizes', 'lamp.jpg.480.webp'), 'small')
  writeFileSync(join(gallery, 'drawing.svg'), DRAWING)
})

const get = (path: string, init: RequestInit = {}) => fetch(`${app().url}${path}`, init)

test.each([
  ['lamp.jpg', 'image/jpeg', 'picture'],
  ['_sizes/lamp.jpg.480.webp', 'image/webp', 'small'],
  ['Dr.%20Iyer%20%231.png', 'image/png', 'doctor'],
  ['drawing.svg', 'image/svg+xml; charset=utf-8', DRAWING],
])('%s is served as %s', async (name, type, text) => {
  const answer = await get(`/media/home/gallery/${name}`)
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, type, text])
})

test('a picture has the security headers, and no script can run in an SVG', async () => {
  const drawing = await get('/media/home/gallery/drawing.svg', { headers: { 'accept-encoding': 'br' } })
  expect(drawing.headers.get('x-content-type-options')).toBe('nosniff')
  expect(drawing.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  expect(drawing.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*style-src 'unsafe-inline'$/)
  expect(drawing.headers.get('content-encoding')).toBe('br')
  expect(drawing.headers.get('vary')).toBe('accept-encoding')
})

test('browsers cache a versioned URL forever, and others for an hour', async () => {
  const version = fileVersion(statSync(join(gallery, 'lamp.jpg')))
  const kept = async (query: string) => (await get(`/media/home/gallery/lamp.jpg${query}`)).headers.get('cache-control')
  expect(await kept(`?v=${version}`)).toBe('public, max-age=31536000, immutable')
  for (const query of ['', '?v=other', '?x']) expect(await kept(query)).toMatch(/^public, max-age=3600\b/)
})

test('returns 304 until the file changes', async () => {
  const path = '/media/home/gallery/lamp.jpg'
  const etag = (await get(path)).headers.get('etag') ?? ''
  const again = await get(path, { headers: { 'if-none-match': etag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
  writeFileSync(join(gallery, 'lamp.jpg'), 'changed')
  utimesSync(join(gallery, 'lamp.jpg'), 1_900_000_000, 1_900_000_000)
  const changed = await get(path, { headers: { 'if-none-match': etag } })
  expect([changed.status, await changed.text()]).toEqual([200, 'changed'])
})

test('HEAD has the same headers without a body; other methods are rejected', async () => {
  const head = await get('/media/home/gallery/drawing.svg', { method: 'HEAD' })
  expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
    200,
    'image/svg+xml; charset=utf-8',
    '',
  ])
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const refused = await get('/media/home/gallery/lamp.jpg', { method })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  }
})

describe('returns 404 for', () => {
  /** Sends the path unchanged; `fetch` would normalize it. */
  function status(path: string): Promise<number> {
    const { hostname, port } = new URL(app().url)
    return new Promise((resolve, reject) => {
      let text = ''
      const socket = connect(Number(port), hostname, () =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
      )
      socket.on('data', (bytes) => (text += bytes.toString()))
      socket.once('end', () => {
        const isSecretTold = /secret/.test(text.split('\r\n\r\n')[1] ?? '')
        resolve(isSecretTold ? 0 : Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]))
      })
      socket.once('error', reject)
    })
  }

  test.each([
    '/media/',
    '/media/home',
    '/media/home/gallery',
    '/media/home/gallery/',
    '/media/home/gallery/missing.jpg',
    '/media/home/gallery/link.jpg',
    '/media/home/gallery/secret.txt',
    '/media/home/gallery/.secret.jpg',
    '/media/home/gallery/secret.jpg.part',
    '/media/home/gallery/_sizes',
    '/media/home/gallery/_sizes/../lamp.jpg',
    '/media/home/gallery/_sizes/_sizes/lamp.jpg.480.webp',
    '/media/attic/hero/secret.jpg',
    '/media/home/../secret.jpg',
    '/media/../secret.jpg',
    '/media/home/gallery/../../secret.jpg',
    '/media/home/gallery/..%2f..%2fsecret.jpg',
    '/media/home/gallery/..%2F..%2F..%2Fsecret.jpg',
    '/media/home/gallery/%2e%2e/%2e%2e/secret.jpg',
    '/media/home/gallery/%2e%2e%2f%2e%2e%2fsecret.jpg',
    '/media/home/gallery/..%5c..%5csecret.jpg',
    '/media/home/gallery/..\\..\\secret.jpg',
    '/media/home/gallery/%252e%252e%252fsecret.jpg',
    '/media/home/gallery/lamp.jpg%00.png',
    '/media/home/gallery/%00',
    '/media/home/gallery%2flamp.jpg',
    '/media/home%2fgallery/lamp.jpg',
    '/media//etc/passwd',
    '/media/%2fetc%2fpasswd',
    '/media/__proto__/hero/secret.jpg',
    `/media/home/gallery/${'a'.repeat(5_000)}.jpg`,
  ])('%s', async (path) => {
    expect(await status(path)).toBe(404)
  })

  test('a path with an invalid encoding', async () => {
    expect([400, 404]).toContain(await status('/media/home/gallery/%ff.jpg'))
    expect([400, 404]).toContain(await status('/media/home/gallery/%zz.jpg'))
  })
})

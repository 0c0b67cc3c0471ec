import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createPictureFetcher, isPublicAddress } from './fetch-picture.service.ts'

test.each([
  ['93.184.216.34', true],
  ['172.32.0.1', true],
  ['2606:2800:220:1:248:1893:25c8:1946', true],
  ['127.0.0.1', false],
  ['127.8.8.8', false],
  ['0.0.0.0', false],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['169.254.169.254', false],
  ['172.16.0.1', false],
  ['172.31.255.255', false],
  ['192.168.1.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['::', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:7f00:1', false],
  ['64:ff9b::7f00:1', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['ff02::1', false],
  ['2002:7f00:1::', false],
  ['2001::1', false],
  ['example.org', false],
])('%s is a public address: %j', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic)
})

async function startSite(listener: RequestListener): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host} ${request.url}`)
    listener(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, asked }
}

const HOSTS = new Set(['old.example', 'www.old.example'])
const LOOPBACK = [{ address: '127.0.0.1', family: 4 }]
const anywhere = { isPublic: () => true, isPort: () => true, lookup: async () => LOOPBACK }

describe('a picture', () => {
  test('is fetched from the address that was checked, also after a redirect', async () => {
    const { port, asked } = await startSite((request, response) => {
      if (request.url === '/a.jpg') response.writeHead(301, { location: `//www.old.example:${port}/b.jpg` }).end()
      else response.end('picture')
    })
    const lookup = vi.fn(async () => LOOPBACK)
    const fetchPicture = createPictureFetcher({ ...anywhere, lookup })
    expect(String(await fetchPicture(`http://old.example:${port}/a.jpg`, HOSTS))).toBe('picture')
    expect(asked).toEqual([`old.example:${port} /a.jpg`, `www.old.example:${port} /b.jpg`])
    expect(lookup.mock.calls).toEqual([['old.example'], ['www.old.example']])
  })

  test.each([
    ['whose host has also a private address', { lookup: async () => [{ address: '8.8.8.8', family: 4 }, ...LOOPBACK] }],
    ['of a private literal', {}],
  ])('%s is not asked for', async (_, network) => {
    const { port, asked } = await startSite((_request, response) => response.end('secret'))
    const fetchPicture = createPictureFetcher({ isPort: () => true, ...network })
    for (const host of ['old.example', '127.0.0.1', '[::1]', '2130706433', '0x7f.1']) {
      const url = new URL(`http://${host}:${port}/a.jpg`)
      const asking = fetchPicture(url.href, new Set([url.hostname]))
      await expect(asking).rejects.toThrow(/private network|has no address/)
    }
    expect(asked).toEqual([])
  })

  test.each([
    ['of another website', 'http://elsewhere.example/a.jpg', /another website/],
    ['at another port', 'http://old.example:6379/a.jpg', /not a link to a picture/],
    ['that is a file', 'file:///etc/passwd', /not a link to a picture/],
    ['with a password', 'http://me:secret@old.example/a.jpg', /not a link to a picture/],
  ])('%s is not asked for', async (_, url, sentence) => {
    const lookup = vi.fn(async () => LOOPBACK)
    await expect(createPictureFetcher({ lookup })(url, HOSTS)).rejects.toThrow(sentence)
    expect(lookup).not.toHaveBeenCalled()
  })

  test('that leads to another website, is missing or too large is an error with a sentence', async () => {
    const { port } = await startSite((request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
      else if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end()
      else if (request.url === '/large') response.end(Buffer.alloc(26 * 1024 * 1024))
      else response.writeHead(404).end()
    })
    const fetchPicture = createPictureFetcher(anywhere)
    const get = (path: string) => fetchPicture(`http://old.example:${port}${path}`, HOSTS)
    await expect(get('/away')).rejects.toThrow(/another website/)
    await expect(get('/loop')).rejects.toThrow(/from one address to the next/)
    await expect(get('/large')).rejects.toThrow(/larger than 25 MB/)
    await expect(get('/gone')).rejects.toThrow(/no longer has it/)
  })
})

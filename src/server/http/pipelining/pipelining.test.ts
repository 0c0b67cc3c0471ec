import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { limitPipelining, CountedResponse, isParserPaused, MAX_PENDING_REQUESTS } from './pipelining.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

async function startServer(handle: Handler) {
  const refused = vi.fn()
  /** Unanswered requests: current and peak. */
  const waiting = { now: 0, most: 0 }
  const server = createServer({ optimizeEmptyRequests: true, ServerResponse: CountedResponse }, (request, response) => {
    waiting.most = Math.max(waiting.most, ++waiting.now)
    response.once('finish', () => waiting.now--)
    handle(request, response)
  })
  limitPipelining(server)
  server.on('clientError', (error, socket) => {
    if (isParserPaused(error, socket)) return
    refused((error as NodeJS.ErrnoException).code)
    socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo

  function open() {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    return socket
  }

  /** Sends the chunks and returns the response text once `isComplete`. */
  async function converse(
    pieces: readonly (string | Buffer)[],
    isComplete: (text: string) => boolean,
  ): Promise<string> {
    const socket = open()
    socket.setNoDelay(true)
    let text = ''
    const read = (async () => {
      for await (const chunk of socket) {
        text += String(chunk)
        if (isComplete(text)) break
      }
    })()
    for (const piece of pieces) {
      if (!socket.writable) break
      socket.write(piece)
      if (pieces.length > 1) await sleep(0)
    }
    await read
    return text
  }

  return { server, waiting, refused, open, converse }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const numbersIn = (text: string) => [...text.matchAll(/<(\d+)>/g)].map(([, number]) => Number(number))
const upTo = (count: number) => Array.from({ length: count }, (_, number) => number)

/** Responds after varying delays, so that later requests are often ready earlier. */
const echo: Handler = (request, response) => {
  const number = /(\d+)$/.exec(request.url ?? '')?.[1] ?? ''
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  const answer = () => response.end(`<${number}>${Buffer.concat(chunks).toString()}`)
  const later = () => (Number(number) % 3 === 0 ? answer() : setTimeout(answer, Number(number) % 7))
  if (request.method === 'POST') request.on('end', later)
  else later()
}

test('a connection that pipelines 1,500 requests is read only a few ahead, and gets all responses in order', async () => {
  const { waiting, converse } = await startServer(echo)
  const text = await converse(
    [
      upTo(1_500)
        .map((number) => get(`/${number}`))
        .join(''),
    ],
    (read) => read.includes('<1499>'),
  )
  expect(numbersIn(text)).toEqual(upTo(1_500))
  expect(waiting.most).toBe(MAX_PENDING_REQUESTS)
})

test('bodies arrive complete, wherever the bytes are split', async () => {
  const { waiting, refused, converse } = await startServer(echo)
  const bodies = upTo(120).map((number) => (number % 4 === 1 ? `${'\r\n\r\nGET /9'.repeat(number % 16)}.` : ''))
  const bytes = Buffer.from(
    bodies.map((body, number) => (number % 2 ? post(`/${number}`, body) : get(`/${number}`))).join(''),
  )
  for (const size of [61, 1_021, 65_536]) {
    const pieces = []
    for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
    const text = await converse(pieces, (read) => read.includes('<119>') && read.endsWith(bodies[119] ?? ''))
    expect(numbersIn(text), `pieces of ${size}`).toEqual(upTo(120))
    for (const [number, body] of bodies.entries()) expect(text).toContain(`<${number}>${body}`)
  }
  expect(waiting.most).toBeLessThanOrEqual(MAX_PENDING_REQUESTS)
  expect(refused).not.toHaveBeenCalled()
})

test('a chunked body behind pending requests', async () => {
  const { converse } = await startServer(echo)
  const chunked =
    'POST /4 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n'
  const text = await converse(
    [
      `${upTo(4)
        .map((number) => get(`/${number}`))
        .join('')}${chunked}${get('/5')}`,
    ],
    (read) => read.includes('<5>'),
  )
  expect(numbersIn(text)).toEqual(upTo(6))
  expect(text).toContain('<4>hello world')
})

test('requests that end exactly at the end of a read are complete: an empty body is not awaited', async () => {
  const { converse } = await startServer(echo)
  const bytes = upTo(MAX_PENDING_REQUESTS)
    .map((number) => post(`/${number}`, ''))
    .join('')
  expect(numbersIn(await converse([bytes], (read) => read.includes(`<${MAX_PENDING_REQUESTS - 1}>`)))).toEqual(
    upTo(MAX_PENDING_REQUESTS),
  )
})

test('while nothing is answered no more requests are accepted, whatever arrives', async () => {
  const held: ServerResponse[] = []
  const { server, waiting, open } = await startServer((_request, response) => void held.push(response))
  const socket = open()
  const connected = once(server, 'connection')
  for (let turn = 0; turn < 20; turn++) {
    socket.write(get('/1').repeat(1_000))
    await sleep(5)
  }
  const [taken] = (await connected) as [Socket]
  expect([held.length, waiting.most]).toEqual([MAX_PENDING_REQUESTS, MAX_PENDING_REQUESTS])
  await sleep(100)
  const before = taken.bytesRead
  socket.write(get('/1').repeat(20_000))
  await sleep(100)
  // One read may have been in progress.
  expect(taken.bytesRead - before).toBeLessThanOrEqual(65_536)
  expect(taken.bytesRead).toBeLessThan(4 * 65_536)
})

test('large responses that are not read are held back, and sent once they are', async () => {
  const body = Buffer.alloc(200_000, 'x')
  const { waiting, open } = await startServer((_request, response) => {
    response.writeHead(200, { 'content-length': body.length })
    setImmediate(() => response.end(body))
  })
  const socket = open()
  socket.pause()
  socket.write(get('/1').repeat(300))
  await sleep(200)
  expect(waiting.most).toBe(MAX_PENDING_REQUESTS)
  let received = 0
  for await (const chunk of socket) {
    received += (chunk as Buffer).length
    if (received > 300 * body.length) break
  }
  expect(received).toBeGreaterThan(300 * body.length)
})

test('responses that Node sends itself are counted', async () => {
  const { server, open, converse } = await startServer(echo)
  const expecting = 'GET / HTTP/1.1\r\nHost: x\r\nExpect: nothing\r\n\r\n'
  const text = await converse([expecting.repeat(50) + get('/7')], (read) => read.includes('<7>'))
  expect(text.split('417 Expectation Failed').length - 1).toBe(50)
  const socket = open()
  const [taken] = (await once(server, 'connection')) as [Socket]
  socket.pause()
  for (let turn = 0; turn < 200; turn++) socket.write(expecting.repeat(1_000))
  await sleep(500)
  expect(taken.writableLength).toBeLessThan(200_000)
})

test('invalid HTTP is refused once, also behind pending requests', async () => {
  const { refused, converse } = await startServer(echo)
  const text = await converse(
    [
      `${upTo(12)
        .map((number) => get(`/${number}`))
        .join('')}NONSENSE\r\n\r\n${get('/99')}`,
    ],
    () => false,
  )
  expect(refused.mock.calls).toEqual([['HPE_INVALID_METHOD']])
  expect(text).toContain('400 Bad Request')
  expect(text).not.toContain('<99>')
})

test('a connection that announces its last request is closed after the response', async () => {
  const { converse } = await startServer(echo)
  const last = 'GET /8 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  const text = await converse(
    [
      upTo(8)
        .map((number) => get(`/${number}`))
        .join('') + last,
    ],
    () => false,
  )
  expect(numbersIn(text)).toEqual(upTo(9))
})

test('connections that end halfway leave nothing behind', async () => {
  const { server, waiting, open } = await startServer(
    (_request, response) => void setTimeout(() => response.end('.'), 20),
  )
  for (let turn = 0; turn < 20; turn++) {
    const socket = open()
    socket.write(get('/1').repeat(500))
    await sleep(5)
    socket.destroy()
  }
  await vi.waitFor(async () => {
    const open = await new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))
    expect(open).toBe(0)
  })
  expect(waiting.most).toBeLessThanOrEqual(20 * MAX_PENDING_REQUESTS)
})

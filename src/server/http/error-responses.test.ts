import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Problem } from '../platform/problem.ts'
import { createHttp } from './create-http.ts'

const lines: string[] = []
const http = createHttp(
  { trustProxy: false, logLevel: 'info' },
  { headers: [], logStream: { write: (line) => void lines.push(line) } },
)
let thrown: unknown = null

beforeAll(async () => {
  http.get('/fail', () => {
    throw thrown
  })
  await http.ready()
})
afterAll(() => http.close())

async function answerTo(error: unknown) {
  thrown = error
  lines.length = 0
  const { statusCode, headers, body } = await http.inject('/fail')
  return { status: statusCode, retryAfter: headers['retry-after'], body: JSON.parse(body) as Record<string, unknown> }
}

const coded = (code: string, message = 'secret detail') => Object.assign(new Error(message), { code })

describe('errors become answers in one place', () => {
  test.each([
    coded('ECONNREFUSED'),
    coded('ECONNRESET'),
    coded('57P01'),
    coded('53300'),
    coded('SQLITE_BUSY'),
    coded('SQLITE_FULL'),
    coded('SQLITE_IOERR_FSYNC'),
    new Error('timeout exceeded when trying to connect'),
    new Error('Connection terminated unexpectedly'),
  ])('%s: the database is away: 503 with Retry-After', async (error) => {
    const { status, retryAfter, body } = await answerTo(error)
    expect(status).toBe(503)
    expect(Number(retryAfter)).toBeGreaterThan(0)
    expect(body).toEqual({ message: 'We cannot answer right now. Please try again in a minute.', code: 'UNAVAILABLE' })
  })

  test.each([
    new Error('secret detail'),
    new TypeError('secret detail'),
    coded('42P01'),
    coded('SQLITE_ERROR'),
    'secret detail',
    null,
    undefined,
    { secret: 'detail' },
  ])('%s: a fault of ours: 500 without a detail, a full record for us', async (error) => {
    const { status, body } = await answerTo(error)
    expect(status).toBe(500)
    expect(body).toEqual({ message: 'Something went wrong on our side. Please try again.', code: 'INTERNAL' })
    expect(lines.join('')).toContain('unexpected failure')
  })

  test('the record keeps what happened and not the row it happened to', async () => {
    const conflict = Object.assign(coded('23505', 'duplicate key value'), {
      detail: 'Key (email)=(ana@b.example) already exists.',
    })
    expect((await answerTo(conflict)).status).toBe(500)
    const [record = ''] = lines.filter((line) => line.includes('unexpected failure'))
    expect(JSON.parse(record)).toMatchObject({
      err: { code: '23505', message: 'duplicate key value', stack: expect.any(String) as string },
    })
    expect(record).not.toContain('ana@b.example')
  })

  test('a problem says its sentence, with the fields and the times it has', async () => {
    expect((await answerTo(new Problem('NO_MEMBERSHIP'))).body).toEqual({
      message: 'There is no membership to manage yet. Please choose one first.',
      code: 'NO_MEMBERSHIP',
    })
    const limited = await answerTo(new Problem('RATE_LIMITED', { rate: { retryAfter: 7, limit: 20, window: 3_600 } }))
    expect(limited).toMatchObject({ status: 429, retryAfter: '7', body: { retryAfter: 7, limit: 20, window: 3_600 } })
  })
})

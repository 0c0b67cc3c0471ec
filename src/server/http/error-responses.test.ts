import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Problem } from '#server/lib/problem.ts'
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

async function responseTo(error: unknown) {
  thrown = error
  lines.length = 0
  const { statusCode, headers, body } = await http.inject('/fail')
  return { status: statusCode, retryAfter: headers['retry-after'], body: JSON.parse(body) as Record<string, unknown> }
}

const coded = (code: string, message = 'secret detail') => Object.assign(new Error(message), { code })

describe('errors become responses in one place', () => {
  test.each([
    coded('ECONNREFUSED'),
    coded('ECONNRESET'),
    coded('57P01'),
    coded('53300'),
    coded('08P01', 'server conn crashed?'), // of PgBouncer
    coded('SQLITE_BUSY'),
    coded('SQLITE_FULL'),
    coded('SQLITE_IOERR_FSYNC'),
    new Error('timeout exceeded when trying to connect'),
    new Error('Connection terminated unexpectedly'),
    new Error('Client has encountered a connection error and is not queryable'),
  ])('%s: the database is unavailable: 503 with Retry-After', async (error) => {
    const { status, retryAfter, body } = await responseTo(error)
    expect(status).toBe(503)
    expect(Number(retryAfter)).toBeGreaterThan(0)
    expect(body).toEqual({
      message: 'The site is temporarily unavailable. Please try again in a minute.',
      code: 'UNAVAILABLE',
    })
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
  ])('%s: a bug: 500 without details, and a full log record', async (error) => {
    const { status, body } = await responseTo(error)
    expect(status).toBe(500)
    expect(body).toEqual({ message: 'Something went wrong on our side. Please try again.', code: 'INTERNAL' })
    expect(lines.join('')).toContain('unexpected failure')
  })

  test('the log record names the error and not the row', async () => {
    const conflict = Object.assign(coded('23505', 'duplicate key value'), {
      detail: 'Key (email)=(ana@b.example) already exists.',
    })
    expect((await responseTo(conflict)).status).toBe(500)
    const [record = ''] = lines.filter((line) => line.includes('unexpected failure'))
    expect(JSON.parse(record)).toMatchObject({
      err: { code: '23505', message: 'duplicate key value', stack: expect.any(String) as string },
    })
    expect(record).not.toContain('ana@b.example')
  })

  test('a problem is sent with its message, fields and times', async () => {
    expect((await responseTo(new Problem('NO_MEMBERSHIP'))).body).toEqual({
      message: 'There is no membership to manage yet. Please choose one first.',
      code: 'NO_MEMBERSHIP',
    })
    const limited = await responseTo(new Problem('RATE_LIMITED', { rate: { retryAfter: 7, limit: 20, window: 3_600 } }))
    expect(limited).toMatchObject({ status: 429, retryAfter: '7', body: { retryAfter: 7, limit: 20, window: 3_600 } })
  })
})

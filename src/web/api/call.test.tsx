import { afterEach, describe, expect, test, vi } from 'vitest'
import { getProfile } from '#contract/public/account.ts'
import { login, resendVerification } from '#contract/public/auth.ts'
import { listImages } from '#contract/public/media.ts'
import { listLevels, paymentStatus } from '#contract/public/membership.ts'
import { CallFailure } from './call-failure.ts'
import { call } from './call.ts'
import { errorResponse, useFakeApi } from '#tests/support/web/fake-api.ts'

const api = useFakeApi()
afterEach(() => vi.useRealTimers())

async function failureOf(promise: Promise<unknown>): Promise<CallFailure> {
  const failure = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(failure).toBeInstanceOf(CallFailure)
  return failure as CallFailure
}

test('sends JSON and returns the reply', async () => {
  const user = { _id: '1', username: 'm', email: 'm@example.org', name: { first: 'M', last: 'R' } }
  api.current.on('POST /api/auth/login', { body: { token: 't', user, subscription: null, extra: 1 } })
  const reply = await call(login, { body: { identifier: 'm', password: 'p' } })
  expect(reply).toEqual({ token: 't', user, subscription: null })
  expect(api.current.sent).toEqual([
    { method: 'POST', path: '/api/auth/login', query: {}, body: { identifier: 'm', password: 'p' }, bearer: null },
  ])
})

test('sends a query and a bearer', async () => {
  api.current.on('GET /api/stripe/checkout/payment-status', { body: { ready: true } })
  await call(paymentStatus, { query: { sessionId: 'cs_1&x' }, bearer: 'abc' })
  expect(api.current.sent[0]).toMatchObject({ query: { sessionId: 'cs_1&x' }, bearer: 'abc', body: undefined })
})

test('puts parameters into the path, URL-encoded', async () => {
  const answer = { success: false, message: 'There is no such folder.', data: { images: [] } }
  api.current.on('GET /api/s3/a%20b/folder/..%2Fhero%3Fx', { body: answer })
  expect(await call(listImages, { params: { bucket: 'a b', folder: '../hero?x' } })).toEqual(answer)
})

test('a success without a body resolves to undefined', async () => {
  api.current.on('POST /api/auth/resend-verification', { status: 204 })
  expect(await call(resendVerification, { body: {} })).toBeUndefined()
})

describe('an error response', () => {
  test('has the server’s message', async () => {
    api.current.on('GET /api/account/profile', {
      status: 429,
      statusText: 'Too Many Requests',
      body: { message: 'Slow down.', code: 'RATE_LIMITED', retryAfter: 30, errors: { a: 'x', b: 7 } },
    })
    expect(await failureOf(call(getProfile))).toMatchObject({
      kind: 'refused',
      status: 429,
      code: 'RATE_LIMITED',
      message: 'Slow down.',
      serverMessage: 'Slow down.',
      retryAfter: 30,
      fieldErrors: { a: 'x' },
    })
  })

  test.each([
    ['a proxy that answers in HTML', { status: 502, statusText: 'Bad Gateway', text: '<h1>Bad gateway</h1>' }],
    ['nothing at all', { status: 502, statusText: 'Bad Gateway' }],
    ['JSON that is no object', { status: 502, statusText: 'Bad Gateway', text: '"no"' }],
    ['a message that is no text', { status: 502, statusText: 'Bad Gateway', body: { message: { a: 1 } } }],
  ])('has the status text for %s', async (_, answer) => {
    api.current.on('GET /api/account/profile', answer)
    expect(await failureOf(call(getProfile))).toMatchObject({
      kind: 'refused',
      status: 502,
      message: 'Bad Gateway',
      serverMessage: undefined,
    })
  })

  test('includes a success that does not match the contract', async () => {
    api.current.on('GET /api/membership-levels', { body: { levels: [] } })
    expect(await failureOf(call(listLevels))).toMatchObject({ kind: 'refused', status: 200, serverMessage: undefined })
  })

  test('includes a success that is not JSON', async () => {
    api.current.on('GET /api/membership-levels', { text: '<html>' })
    expect(await failureOf(call(listLevels))).toMatchObject({ kind: 'refused', status: 200 })
  })
})

describe('a network error', () => {
  test('when the server cannot be reached', async () => {
    api.current.on('GET /api/membership-levels', 'no network')
    expect(await failureOf(call(listLevels))).toMatchObject({ kind: 'network', status: 0 })
  })

  test('when there is no response after 15 seconds', async () => {
    vi.useFakeTimers()
    api.current.on('GET /api/membership-levels', 'never')
    const failure = failureOf(call(listLevels))
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await failure).toMatchObject({ kind: 'network' })
  })
})

test('an error keeps its code and field errors separate from its message', () => {
  const { body } = errorResponse(409, 'USERNAME_TAKEN', 'Taken.', { username: 'Taken.' })
  expect(new CallFailure({ status: 409, sentence: body.message, errors: body.errors ?? {} }).fieldErrors).toEqual({
    username: 'Taken.',
  })
})

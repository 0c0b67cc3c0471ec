import { describe, expect, test, vi } from 'vitest'
import type { PreparedResponse } from './prepared-response.ts'
import { CachingRenderer, type CachingRendererOptions, PageUnavailable } from './caching-renderer.ts'
import type { RenderedPage } from './render-page.ts'

const HOME = { key: '/', metadata: { path: '/', indexed: true } }

function rendered(over: Partial<RenderedPage> = {}): RenderedPage {
  return {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    frameworkHeaders: [],
    body: Buffer.from('<!doctype html><p>home</p>'),
    rootData: null,
    servicesFailed: false,
    reads: null,
    ...over,
  }
}

function createMaker(over: Partial<CachingRendererOptions> = {}) {
  const state = { version: 1, today: '2026-03-07', now: 1_000_000, count: 0 }
  const onError = vi.fn()
  const render = vi.fn(async (address: string) =>
    rendered({ body: Buffer.from(`${address} of ${state.today}, version ${state.version}, made ${++state.count}`) }),
  )
  const maker = new CachingRenderer({
    render,
    siteUrl: 'http://localhost:3000',
    contentVersion: () => state.version,
    today: () => state.today,
    clock: { now: () => state.now },
    imageOrigins: [],
    maximumBytes: 1_000_000,
    renderTimeoutMs: 200,
    onError,
    ...over,
  })
  return { maker, render, state, onError }
}

function textOf(answer: PreparedResponse | null): string | undefined {
  return answer?.representations.identity.body.toString()
}

function headersOf(answer: PreparedResponse): Record<string, string> {
  const { headers } = answer.representations.identity
  return Object.fromEntries(headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : [])))
}

test('renders a page once for concurrent and later requests', async () => {
  const { maker, render } = createMaker()
  expect(maker.find('/')).toBeNull()
  await Promise.all([maker.get(HOME), maker.get(HOME), maker.get(HOME)])
  expect(textOf(maker.find('/'))).toBe(textOf(await maker.get(HOME)))
  expect(render).toHaveBeenCalledTimes(1)
})

test('shows a change of content immediately', async () => {
  const { maker, state } = createMaker()
  await maker.get(HOME)
  state.version = 2
  expect(maker.find('/')).toBeNull()
  expect(textOf(await maker.get(HOME))).toContain('version 2')
})

describe('after a change of content', () => {
  function createPages(again: () => Promise<string>) {
    const key = 'faq []'
    const render = vi.fn(async () => rendered({ reads: [{ key, fingerprint: await again(), again }] }))
    return { ...createMaker({ render }), render }
  }

  test('a page whose services return the same is not rendered again, and is asked once for each change', async () => {
    const again = vi.fn(async () => 'same')
    const { maker, state, render } = createPages(again)
    const first = await maker.get(HOME)
    state.version = 2
    expect(maker.find('/')).toBeNull()
    expect(await Promise.all([maker.get(HOME), maker.get(HOME)])).toEqual([first, first])
    expect(maker.find('/')).toBe(first)
    expect([render.mock.calls.length, again.mock.calls.length]).toEqual([1, 2])
  })

  test('several pages share a service call', async () => {
    const again = vi.fn(async () => 'same')
    const { maker, state } = createPages(again)
    await maker.get(HOME)
    await maker.get({ ...HOME, key: '/faqs' })
    again.mockClear()
    state.version = 2
    await Promise.all([maker.get(HOME), maker.get({ ...HOME, key: '/faqs' })])
    expect(again).toHaveBeenCalledTimes(1)
  })

  test('a page whose services return something else is rendered again', async () => {
    const { maker, state, render } = createPages(async () => `of version ${state.version}`)
    await maker.get(HOME)
    state.version = 2
    await maker.get(HOME)
    expect(render).toHaveBeenCalledTimes(2)
  })

  test.each<[string, () => Promise<string>]>([
    ['fail', () => Promise.reject(new Error('down'))],
    ['hang', () => new Promise(() => {})],
  ])('a page whose services %s is rendered again, which reports it', async (_how, answer) => {
    let isDown = false
    const { maker, state, render } = createPages(() => (isDown ? answer() : Promise.resolve('up')))
    const first = await maker.get(HOME)
    isDown = true
    state.version = 2
    expect(await maker.get(HOME)).toBe(first)
    expect(render).toHaveBeenCalledTimes(2)
  })
})

test('renders again if the content changes during a render', async () => {
  const { maker, state } = createMaker()
  const early = maker.get(HOME)
  state.version = 2
  const late = maker.get(HOME)
  expect(textOf(await early)).toContain('made 1')
  expect(textOf(await late)).toContain('made 2')
  expect(textOf(maker.find('/'))).toContain('made 2')
})

test('renders again after midnight in the association’s time zone', async () => {
  const { maker, state } = createMaker()
  await maker.get(HOME)
  state.now += 999
  state.today = '2026-03-08'
  state.now += 1_000
  expect(maker.find('/')).toBeNull()
  expect(textOf(await maker.get(HOME))).toContain('2026-03-08')
})

test('adds Brotli in the background', async () => {
  const { maker } = createMaker({ render: async () => rendered({ body: Buffer.from('words '.repeat(500)) }) })
  const answer = await maker.get(HOME)
  expect(answer.representations.gzip?.body.length).toBeLessThan(100)
  await vi.waitFor(() => expect(answer.representations.br).not.toBeNull())
  expect(answer.representations.br?.headers).toContain('content-encoding')
})

test('serves the outdated copy if the services fail, and retries a second later', async () => {
  const { maker, render, state } = createMaker()
  await maker.get(HOME)
  state.version = 2
  render.mockImplementation(async () => rendered({ status: 500, servicesFailed: true }))
  expect(textOf(await maker.get(HOME))).toContain('version 1')
  expect(textOf(await maker.get(HOME))).toContain('version 1')
  expect(render).toHaveBeenCalledTimes(2)

  render.mockImplementation(async () => rendered({ body: Buffer.from('back again') }))
  state.now += 1_000
  expect(textOf(await maker.get(HOME))).toBe('back again')
})

test('is unavailable without an outdated copy, and does not cache the failure', async () => {
  const { maker, render, state } = createMaker()
  render.mockImplementationOnce(async () => rendered({ status: 500, servicesFailed: true }))
  await expect(maker.get(HOME)).rejects.toThrow(PageUnavailable)
  await expect(maker.get(HOME)).rejects.toThrow(PageUnavailable)
  expect(render).toHaveBeenCalledTimes(1)
  state.now += 1_000
  expect(textOf(await maker.get(HOME))).toContain('version 1')
})

test('services that never respond count as failed', async () => {
  const { maker, onError } = createMaker({ render: () => new Promise(() => {}), renderTimeoutMs: 20 })
  await expect(maker.get(HOME)).rejects.toThrow(PageUnavailable)
  expect(onError).toHaveBeenCalledOnce()
})

test('a render error of the page itself returns 500 and is not cached', async () => {
  const { maker, render } = createMaker()
  render.mockImplementation(async () => rendered({ status: 500, body: Buffer.from('the error page') }))
  const answer = await maker.get(HOME)
  expect([answer.status, textOf(answer)]).toEqual([500, 'the error page'])
  expect(headersOf(answer)['cache-control']).toBe('no-store')
  expect(maker.find('/')).toBeNull()
})

test('evicts the least recently used pages above the size limit', async () => {
  const page = (path: string) => ({ key: path, metadata: { path, indexed: true } })
  const { maker } = createMaker({ render: async () => rendered({ body: Buffer.alloc(400, 'x') }), maximumBytes: 1_000 })
  await maker.get(page('/a'))
  await maker.get(page('/b'))
  maker.find('/a')
  await maker.get(page('/c'))
  expect(['/a', '/b', '/c'].filter((key) => maker.find(key))).toEqual(['/a', '/c'])
})

test('URLs with secrets are not sent as referrers, and private pages are not indexed', async () => {
  const { maker } = createMaker()
  const open = headersOf(await maker.get(HOME))
  const path = '/reset-password'
  const secret = headersOf(await maker.get({ key: path, metadata: { path, indexed: false, hasSecretUrl: true } }))
  expect([open['referrer-policy'], open['x-robots-tag']]).toEqual(['strict-origin-when-cross-origin', undefined])
  expect([secret['referrer-policy'], secret['x-robots-tag']]).toEqual(['no-referrer', 'noindex'])
})

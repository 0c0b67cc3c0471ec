import { expect, test, vi } from 'vitest'
import type { Answer } from './answer.ts'
import { PageMaker, type PageMakerOptions, PageUnavailable } from './page-maker.ts'
import type { RenderedPage } from './render-page.ts'

const HOME = { key: '/', facts: { path: '/', indexed: true } }

function rendered(over: Partial<RenderedPage> = {}): RenderedPage {
  return {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    frameworkHeaders: [],
    body: Buffer.from('<!doctype html><p>home</p>'),
    frame: null,
    servicesFailed: false,
    ...over,
  }
}

function createMaker(over: Partial<PageMakerOptions> = {}) {
  const state = { version: 1, today: '2026-03-07', now: 1_000_000, count: 0 }
  const onError = vi.fn()
  const render = vi.fn(async (address: string) =>
    rendered({ body: Buffer.from(`${address} of ${state.today}, version ${state.version}, made ${++state.count}`) }),
  )
  const maker = new PageMaker({
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

function textOf(answer: Answer | null): string | undefined {
  return answer?.representations.identity.body.toString()
}

function headersOf(answer: Answer): Record<string, string> {
  const { headers } = answer.representations.identity
  return Object.fromEntries(headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : [])))
}

test('a page is rendered once, for everyone who asks at the same time and later', async () => {
  const { maker, render } = createMaker()
  expect(maker.find('/')).toBeNull()
  await Promise.all([maker.get(HOME), maker.get(HOME), maker.get(HOME)])
  expect(textOf(maker.find('/'))).toBe(textOf(await maker.get(HOME)))
  expect(render).toHaveBeenCalledTimes(1)
})

test('a change of content shows at once', async () => {
  const { maker, state } = createMaker()
  await maker.get(HOME)
  state.version = 2
  expect(maker.find('/')).toBeNull()
  expect(textOf(await maker.get(HOME))).toContain('version 2')
})

test('content that changes while a page is rendered makes it again for the next visitor', async () => {
  const { maker, state } = createMaker()
  const early = maker.get(HOME)
  state.version = 2
  const late = maker.get(HOME)
  expect(textOf(await early)).toContain('made 1')
  expect(textOf(await late)).toContain('made 2')
  expect(textOf(maker.find('/'))).toContain('made 2')
})

test('at midnight of the association the pages are made anew', async () => {
  const { maker, state } = createMaker()
  await maker.get(HOME)
  state.now += 999
  state.today = '2026-03-08'
  state.now += 1_000
  expect(maker.find('/')).toBeNull()
  expect(textOf(await maker.get(HOME))).toContain('2026-03-08')
})

test('the smallest form follows in the background', async () => {
  const { maker } = createMaker({ render: async () => rendered({ body: Buffer.from('words '.repeat(500)) }) })
  const answer = await maker.get(HOME)
  expect(answer.representations.gzip?.body.length).toBeLessThan(100)
  await vi.waitFor(() => expect(answer.representations.br).not.toBeNull())
  expect(answer.representations.br?.headers).toContain('content-encoding')
})

test('when the services fail the older form of the page stands in, and they are asked again a second later', async () => {
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

test('without an older form the page is unavailable, not wrong, and nothing of the failure is kept', async () => {
  const { maker, render, state } = createMaker()
  render.mockImplementationOnce(async () => rendered({ status: 500, servicesFailed: true }))
  await expect(maker.get(HOME)).rejects.toThrow(PageUnavailable)
  await expect(maker.get(HOME)).rejects.toThrow(PageUnavailable)
  expect(render).toHaveBeenCalledTimes(1)
  state.now += 1_000
  expect(textOf(await maker.get(HOME))).toContain('version 1')
})

test('services that never answer count as failed', async () => {
  const { maker, onError } = createMaker({ render: () => new Promise(() => {}), renderTimeoutMs: 20 })
  await expect(maker.get(HOME)).rejects.toThrow(PageUnavailable)
  expect(onError).toHaveBeenCalledOnce()
})

test('a page with a fault of its own is shown as the framework shows it, with 500, and not kept', async () => {
  const { maker, render } = createMaker()
  render.mockImplementation(async () => rendered({ status: 500, body: Buffer.from('the error page') }))
  const answer = await maker.get(HOME)
  expect([answer.status, textOf(answer)]).toEqual([500, 'the error page'])
  expect(headersOf(answer)['cache-control']).toBe('no-store')
  expect(maker.find('/')).toBeNull()
})

test('above its limit the cache drops what was not used for longest', async () => {
  const page = (path: string) => ({ key: path, facts: { path, indexed: true } })
  const { maker } = createMaker({ render: async () => rendered({ body: Buffer.alloc(400, 'x') }), maximumBytes: 1_000 })
  await maker.get(page('/a'))
  await maker.get(page('/b'))
  maker.find('/a')
  await maker.get(page('/c'))
  expect(['/a', '/b', '/c'].filter((key) => maker.find(key))).toEqual(['/a', '/c'])
})

test('an address with secrets is told to nobody, and private pages are not to be found', async () => {
  const { maker } = createMaker()
  const open = headersOf(await maker.get(HOME))
  const path = '/reset-password'
  const secret = headersOf(await maker.get({ key: path, facts: { path, indexed: false, secretAddress: true } }))
  expect([open['referrer-policy'], open['x-robots-tag']]).toEqual(['strict-origin-when-cross-origin', undefined])
  expect([secret['referrer-policy'], secret['x-robots-tag']]).toEqual(['no-referrer', 'noindex'])
})

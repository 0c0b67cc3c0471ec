import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clearCheckInData } from '#web/session/check-in-storage.ts'
import { CARD_PAGE, CHECK_IN_PAGES } from '#web/session/offline/offline-pages.ts'
import { enableOfflinePage } from './enable-offline-page.ts'

class FakeWorker extends EventTarget {
  readonly told: unknown[] = []
  answer = 'kept'
  state = 'activated'
  become(state: string): void {
    this.state = state
    this.dispatchEvent(new Event('statechange'))
  }
  postMessage(message: unknown, [port]: MessagePort[]): void {
    this.told.push(message)
    port?.postMessage(this.answer)
  }
}

const worker = new FakeWorker()
const unregister = vi.fn<() => Promise<boolean>>(async () => true)
const stranger = vi.fn<() => Promise<boolean>>(async () => true)
const register = vi.fn<(path: string, options: object) => Promise<object>>(async () => ({ active: worker }))
const deleted: string[] = []

beforeEach(() => {
  worker.told.length = 0
  worker.answer = 'kept'
  worker.state = 'activated'
  deleted.length = 0
  register.mockClear()
  unregister.mockClear()
  vi.stubGlobal('caches', {
    keys: async () => ['door-shell-1', 'other-cache'],
    delete: async (name: string) => deleted.push(name),
  })
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: {
      register,
      // As in a browser whose document was loaded at another address of the console.
      ready: new Promise(() => {}),
      getRegistrations: async () => [
        { scope: 'http://localhost/console/rsvp/', unregister },
        { scope: 'http://localhost/', unregister: stranger },
      ],
    },
  })
  window.history.replaceState({}, '', '/console/rsvp/gala')
  // jsdom does not have it.
  Object.assign(performance, { getEntriesByType: () => [] })
})

afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'serviceWorker')
  document.head.replaceChildren()
})

describe('offline check-in', () => {
  test('caches the document and files of one build, scoped to check-in pages', async () => {
    document.head.innerHTML = `<link rel="modulepreload" href="/assets/manifest-1a2b.js"><link rel="stylesheet" href="/assets/index.css">
      <link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="https://elsewhere.example/assets/x.css">`
    expect(await enableOfflinePage(CHECK_IN_PAGES)).toBe(true)
    expect(register).toHaveBeenCalledWith('/console/rsvp/door-worker.js', { scope: '/console/rsvp/' })
    expect(worker.told).toEqual([
      {
        document: '/console/rsvp/gala',
        files: ['/assets/manifest-1a2b.js', '/assets/index.css'],
        manifest: '/assets/manifest-1a2b.js',
      },
    ])
  })

  test('waits for a worker that is being installed, or says that it could not be', async () => {
    document.head.innerHTML = '<link rel="modulepreload" href="/assets/manifest-1a2b.js">'
    for (const [end, isEnabled] of [
      ['activated', true],
      ['redundant', false],
    ] as const) {
      worker.state = 'installing'
      register.mockResolvedValueOnce({ active: null, waiting: null, installing: worker })
      const enabled = enableOfflinePage(CHECK_IN_PAGES)
      await Promise.resolve()
      worker.become('installed')
      worker.become(end)
      expect(await enabled).toBe(isEnabled)
    }
  })

  test('caches nothing without a build, and reports a failure of the worker', async () => {
    expect(await enableOfflinePage(CHECK_IN_PAGES)).toBe(false)
    document.head.innerHTML = '<link rel="modulepreload" href="/assets/manifest-1a2b.js">'
    worker.answer = 'not kept'
    expect(await enableOfflinePage(CHECK_IN_PAGES)).toBe(false)
    register.mockRejectedValueOnce(new Error('a private window'))
    expect(await enableOfflinePage(CHECK_IN_PAGES)).toBe(false)
  })
})

test('logging out removes stored lists without unsent changes', async () => {
  localStorage.setItem('door-officer', '{}')
  localStorage.setItem('door:sent', JSON.stringify({ marks: [], walkIns: [] }))
  localStorage.setItem('door:unsent', JSON.stringify({ marks: [{}], walkIns: [] }))
  localStorage.setItem('door:broken', '{')
  localStorage.setItem('console-draft:rsvp-offer:gala', '{}')
  await clearCheckInData()
  expect(Object.keys(localStorage).toSorted()).toEqual(['console-draft:rsvp-offer:gala', 'door:unsent'])
  expect(deleted).toEqual(['door-shell-1'])
  expect([unregister.mock.calls.length, stranger.mock.calls.length]).toEqual([1, 0])
})

test.each([
  ['console/rsvp/door-worker.js', ['/console/rsvp/gala'], CHECK_IN_PAGES],
  ['auth/account/card-worker.js', ['/auth/account/card'], CARD_PAGE],
])('%s handles only its own pages, and no worker caches API responses', (file, own, { worker: path, cachePrefix }) => {
  const text = readFileSync(`public/${file}`, 'utf8')
  const pattern = /pages: \/(.*)\/ \}/.exec(text)?.[1] ?? ''
  const others = ['/console/rsvp/gala/offer', '/console/rsvp', '/console', '/', '/auth/account', '/auth/account/cards']
  expect([...own, ...others].filter((page) => new RegExp(pattern).test(page))).toEqual(own)
  expect([path, text.includes(`kept: '${cachePrefix}'`)]).toEqual([`/${file}`, true])
  expect(readFileSync('public/offline-page-worker.js', 'utf8') + text).not.toContain("'/api")
})

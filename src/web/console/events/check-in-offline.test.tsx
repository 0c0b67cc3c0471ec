import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { forgetDoor } from '#web/features/auth/door-kept.ts'
import { keepDoorShell } from './door-shell.ts'

class FakeWorker {
  readonly told: unknown[] = []
  answer = 'kept'
  postMessage(message: unknown, [port]: MessagePort[]): void {
    this.told.push(message)
    port?.postMessage(this.answer)
  }
}

const worker = new FakeWorker()
const unregister = vi.fn<() => Promise<boolean>>(async () => true)
const stranger = vi.fn<() => Promise<boolean>>(async () => true)
const register = vi.fn<(path: string, options: object) => Promise<void>>(async () => {})
const deleted: string[] = []

beforeEach(() => {
  worker.told.length = 0
  worker.answer = 'kept'
  deleted.length = 0
  register.mockClear()
  unregister.mockClear()
  vi.stubGlobal('caches', {
    keys: async () => ['door-shell-1', 'of-somebody-else'],
    delete: async (name: string) => deleted.push(name),
  })
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: {
      register,
      ready: Promise.resolve({ active: worker }),
      getRegistrations: async () => [
        { scope: 'http://localhost/console/rsvp/', unregister },
        { scope: 'http://localhost/', unregister: stranger },
      ],
    },
  })
  window.history.replaceState({}, '', '/console/rsvp/gala')
})

afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'serviceWorker')
  document.head.replaceChildren()
})

describe('what a door keeps', () => {
  test('its document and the files of one build, under the scope of the doors', async () => {
    document.head.innerHTML = `<link rel="modulepreload" href="/assets/manifest-1a2b.js"><link rel="stylesheet" href="/assets/index.css">
      <link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="https://elsewhere.example/assets/x.css">`
    expect(await keepDoorShell()).toBe(true)
    expect(register).toHaveBeenCalledWith('/console/rsvp/door-worker.js', { scope: '/console/rsvp/' })
    expect(worker.told).toEqual([
      {
        document: '/console/rsvp/gala',
        files: ['/assets/manifest-1a2b.js', '/assets/index.css'],
        manifest: '/assets/manifest-1a2b.js',
      },
    ])
  })

  test('nothing of a page without a build, and no promise when the worker could not', async () => {
    expect(await keepDoorShell()).toBe(false)
    document.head.innerHTML = '<link rel="modulepreload" href="/assets/manifest-1a2b.js">'
    worker.answer = 'not kept'
    expect(await keepDoorShell()).toBe(false)
    register.mockRejectedValueOnce(new Error('a private window'))
    expect(await keepDoorShell()).toBe(false)
  })
})

test('who leaves takes the door along, but for what was never sent', async () => {
  localStorage.setItem('door-officer', '{}')
  localStorage.setItem('door:sent', JSON.stringify({ marks: [], walkIns: [] }))
  localStorage.setItem('door:unsent', JSON.stringify({ marks: [{}], walkIns: [] }))
  localStorage.setItem('door:broken', '{')
  localStorage.setItem('console-draft:rsvp-offer:gala', '{}')
  await forgetDoor()
  expect(Object.keys(localStorage).toSorted()).toEqual(['console-draft:rsvp-offer:gala', 'door:unsent'])
  expect(deleted).toEqual(['door-shell-1'])
  expect([unregister.mock.calls.length, stranger.mock.calls.length]).toEqual([1, 0])
})

test('the worker opens doors alone, and keeps no answer of the API', () => {
  const text = readFileSync('public/console/rsvp/door-worker.js', 'utf8')
  const door = /^const DOOR = \/(.*)\/$/m.exec(text)?.[1] ?? ''
  const isDoor = (path: string) => new RegExp(door).test(path)
  expect(['/console/rsvp/gala', '/console/rsvp/gala/offer', '/console/rsvp', '/console', '/'].filter(isDoor)).toEqual([
    '/console/rsvp/gala',
  ])
  expect(text).not.toContain("'/api")
})

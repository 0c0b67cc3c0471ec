// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { INTERACTIVE, deferModules, startScript } from './start-scripts.ts'

const DOCUMENT =
  '<head><link rel="modulepreload" href="/assets/a.js"/><link rel="stylesheet" href="/assets/s.css"/><link rel="modulepreload" href="/assets/b.js"/></head>' +
  '<body><script>one()</script><script type="module" async="">import "/assets/a.js";</script></body>'

beforeEach(() => {
  document.head.innerHTML = ''
  document.body.innerHTML = `${deferModules(DOCUMENT, { atOnce: false })}<button type="button">Menu</button><form><button>Send</button></form>`
  runInPage(startScript())
})

afterEach(() => {
  // The window outlives the test, so let its listeners run.
  dispatchEvent(new Event('pointerdown'))
  dispatchEvent(new Event(INTERACTIVE))
})

/** The page's own window is not that of the test. */
function runInPage(code: string): void {
  const script = document.createElement('script')
  script.textContent = code
  document.body.append(script)
}

/** Tells of a paint when the window gets an event of its name. */
const PAINT_OBSERVER = `window.PerformanceObserver = class {
  static supportedEntryTypes = ['paint']
  constructor(told) {
    for (const painted of ['first-paint', 'first-contentful-paint'])
      addEventListener(painted, () => told({ getEntriesByName: (name) => (name === painted ? [{ name }] : []) }, this))
  }
  observe() {}
  disconnect() {}
}`

function startedModules(): (string | null)[] {
  return [...document.head.querySelectorAll('script[type=module]')].map((script) => script.textContent)
}

test('modules become text, and nothing loads them early', () => {
  expect(deferModules(DOCUMENT, { atOnce: false })).toBe(
    '<head><link rel="stylesheet" href="/assets/s.css"/></head><body><script>one()</script>' +
      '<script type="text/plain" id="modules" data-files="/assets/a.js /assets/b.js">import "/assets/a.js";</script></body>',
  )
  expect(startedModules()).toEqual([])
})

test('they start at once where asked, but not on a page that a service worker serves', () => {
  const place = document.createElement('div')
  document.body.prepend(place)
  const worker = { controller: {} as object | null }
  Object.assign(window.navigator, { serviceWorker: worker })
  place.innerHTML = deferModules(DOCUMENT, { atOnce: true })
  runInPage(startScript())
  expect(startedModules()).toEqual([])
  worker.controller = null
  runInPage(startScript())
  expect(startedModules()).toEqual(['import "/assets/a.js";'])
})

test('they start once, at the first interaction', () => {
  dispatchEvent(new Event('pointerdown'))
  dispatchEvent(new Event('keydown'))
  expect(startedModules()).toEqual(['import "/assets/a.js";'])
  const preloads = [...document.head.querySelectorAll('link[rel=modulepreload]')]
  expect(preloads.map((link) => link.getAttribute('href'))).toEqual(['/assets/a.js', '/assets/b.js'])
})

test('they start after the first frame, in a browser that does not tell when it was painted', async () => {
  dispatchEvent(new Event('load'))
  expect(startedModules()).toEqual([])
  await vi.waitFor(() => expect(startedModules()).toHaveLength(1))
})

test('they start when the first content is painted, where the browser tells', async () => {
  runInPage(PAINT_OBSERVER)
  dispatchEvent(new Event('load'))
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  dispatchEvent(new Event('first-paint'))
  expect(startedModules()).toEqual([])
  dispatchEvent(new Event('first-contentful-paint'))
  expect(startedModules()).toEqual(['import "/assets/a.js";'])
  runInPage('delete window.PerformanceObserver')
})

test('a click from before hydration is replayed once', () => {
  const button = document.querySelector('button')
  const pressed = vi.fn()
  button?.click()
  button?.click()
  button?.addEventListener('click', pressed)
  dispatchEvent(new Event(INTERACTIVE))
  expect(pressed).toHaveBeenCalledTimes(1)
  button?.click()
  expect(pressed).toHaveBeenCalledTimes(2)
})

test('a form submitted before hydration is sent by the page, not by the browser', () => {
  const form = document.querySelector('form')
  const sent = vi.fn((event: Event) => event.preventDefault())
  form?.requestSubmit()
  form?.addEventListener('submit', sent)
  expect(sent).not.toHaveBeenCalled()
  dispatchEvent(new Event(INTERACTIVE))
  expect(sent).toHaveBeenCalledTimes(1)
})

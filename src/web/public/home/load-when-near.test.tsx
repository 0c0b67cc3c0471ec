import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadWhenNear } from './load-when-near.ts'

let notify: (entries: { isIntersecting: boolean }[]) => void
const load = vi.fn<() => Promise<string>>()

beforeEach(() => {
  load.mockReset().mockResolvedValue('loaded')
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: typeof notify) {
        notify = callback
      }
      observe() {}
      disconnect() {}
    },
  )
  document.body.innerHTML = '<div class="below"></div>'
})
afterEach(() => {
  vi.unstubAllGlobals()
  document.body.innerHTML = ''
})

const soon = () => new Promise((resolve) => setTimeout(resolve))

test('waits until the element comes near', async () => {
  const loading = loadWhenNear('.below', load)
  notify([{ isIntersecting: false }])
  await soon()
  expect(load).not.toHaveBeenCalled()
  notify([{ isIntersecting: true }])
  expect(await loading).toBe('loaded')
})

test.each(['pointerdown', 'keydown', 'popstate'])('%s anywhere ends the wait', async (interaction) => {
  const loading = loadWhenNear('.below', load)
  await soon()
  expect(load).not.toHaveBeenCalled()
  window.dispatchEvent(new Event(interaction))
  expect(await loading).toBe('loaded')
})

test('after a failure the page stays as it is, and the next touch tries again', async () => {
  load.mockRejectedValueOnce(new Error('offline'))
  const loading = loadWhenNear('.below', load)
  notify([{ isIntersecting: true }])
  await soon()
  expect(load).toHaveBeenCalledTimes(1)
  window.dispatchEvent(new Event('pointerdown'))
  expect(await loading).toBe('loaded')
})

test('without such an element it loads at once, and fails as loading does', async () => {
  expect(await loadWhenNear('.elsewhere', load)).toBe('loaded')
  load.mockRejectedValueOnce(new Error('offline'))
  await expect(loadWhenNear('.elsewhere', load)).rejects.toThrow('offline')
})

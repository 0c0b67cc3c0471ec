import { Suspense, use, type SubmitEvent } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act, render, screen } from '@testing-library/react'
import { lazyWhenNear } from './lazy-when-near.tsx'

let notify: (entries: { isIntersecting: boolean }[]) => void
const sent = vi.fn((event: SubmitEvent) => event.preventDefault())
const load = vi.fn<() => Promise<typeof Part>>()
let root: Root | null = null

function Part() {
  return (
    <form onSubmit={sent}>
      <button type="submit">Subscribe</button>
    </form>
  )
}

beforeEach(() => {
  sent.mockClear()
  load.mockReset().mockResolvedValue(Part)
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
  document.body.innerHTML =
    '<div id="page"><div class="below"><!--$--><form><button>Subscribe</button></form><!--/$--></div></div>'
})
afterEach(() => {
  root?.unmount()
  root = null
  vi.unstubAllGlobals()
  document.body.innerHTML = ''
})

const page = () => document.getElementById('page') as HTMLElement
const form = () => document.querySelector('form') as HTMLFormElement

/** Hydrates the server's HTML above, whose part is not loaded yet. */
async function openPage(beforeHydration = () => {}): Promise<void> {
  const LazyPart = lazyWhenNear('.below', load)
  beforeHydration()
  await act(async () => {
    root = hydrateRoot(
      page(),
      <div className="below">
        <Suspense>
          <LazyPart />
        </Suspense>
      </div>,
    )
  })
}

const comeNear = (isIntersecting = true) => act(async () => notify([{ isIntersecting }]))

test('waits until the part comes near', async () => {
  await openPage()
  await comeNear(false)
  expect(load).not.toHaveBeenCalled()
  await comeNear()
  expect(load).toHaveBeenCalledTimes(1)
})

test.each(['pointerdown', 'keydown', 'popstate'])('%s anywhere ends the wait', async (interaction) => {
  await openPage()
  expect(load).not.toHaveBeenCalled()
  window.dispatchEvent(new Event(interaction))
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1))
})

test('after a failure the page stays as it is, and the next touch tries again', async () => {
  load.mockRejectedValueOnce(new Error('offline'))
  await openPage()
  await comeNear()
  expect(load).toHaveBeenCalledTimes(1)
  expect(form().isConnected).toBe(true)
  window.dispatchEvent(new Event('pointerdown'))
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2))
})

test('a form that is submitted before React has taken over is submitted once it has, however long that takes', async () => {
  const { promise: hydration, resolve: hydrate } = Promise.withResolvers<void>()
  load.mockResolvedValue(function SlowPart() {
    use(hydration)
    return <Part />
  })
  const leave = vi.fn((event: Event) => event.preventDefault())
  document.addEventListener('submit', leave)
  await openPage(() => form().requestSubmit())
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1))
  await act(() => new Promise((resolve) => setTimeout(resolve, 400)))
  form().requestSubmit()
  expect([leave.mock.calls.length, sent.mock.calls.length]).toEqual([0, 0])
  await act(async () => hydrate())
  await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(1))
  document.removeEventListener('submit', leave)
})

test('without such a part in the page it loads at once', async () => {
  const LazyPart = lazyWhenNear('.elsewhere', load)
  document.body.innerHTML = ''
  render(
    <Suspense>
      <LazyPart />
    </Suspense>,
  )
  expect(await screen.findByRole('button', { name: 'Subscribe' })).toBeDefined()
})

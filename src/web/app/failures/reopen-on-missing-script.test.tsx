import { afterEach, expect, test, vi } from 'vitest'
import { reopenOnMissingScript } from './reopen-on-missing-script.ts'
import { SCRIPT_MISSING } from './script-missing.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('opens the page whose script is missing, unless another document is about to replace this one', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.stubGlobal('__reactRouterDataRouter', { state: { navigation: { location: { pathname: '/events', search: '' } } } })
  const open = vi.fn<(url: string) => void>()
  reopenOnMissingScript(open)

  expect(missAScript()).toBe(true)
  expect(open).toHaveBeenCalledExactlyOnceWith('/events')

  // As Firefox and WebKit do with scripts under way.
  dispatchEvent(new Event('beforeunload'))
  expect(missAScript()).toBe(true)
  expect(open).toHaveBeenCalledOnce()

  // It was a download: the page is still here.
  vi.advanceTimersByTime(2_000)
  missAScript()
  expect(open).toHaveBeenCalledTimes(2)
})

/** Whether the router should do nothing more. */
function missAScript(): boolean {
  return !dispatchEvent(new Event(SCRIPT_MISSING, { cancelable: true }))
}

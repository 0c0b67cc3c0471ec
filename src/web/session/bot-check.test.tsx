import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type * as BotCheck from './bot-check.ts'

const settings = { recaptchaScriptUrl: 'https://bot.example/api.js', recaptchaSiteKey: 'key' }
const src = 'https://bot.example/api.js?render=key'
const library = {
  ready: (callback: () => void) => callback(),
  execute: vi.fn<(key: string, options: { action: string }) => Promise<string>>(),
}

let botCheck: Pick<typeof BotCheck, 'getBotCheckToken' | 'loadBotCheck'>

beforeEach(async () => {
  vi.useFakeTimers()
  vi.resetModules()
  library.execute.mockReset().mockResolvedValue('token')
  botCheck = await import('./bot-check.ts')
})
afterEach(() => {
  vi.useRealTimers()
  delete window.grecaptcha
  for (const script of scripts()) script.remove()
})

function scripts(): HTMLScriptElement[] {
  return [...document.scripts].filter((script) => script.src === src)
}

/** The error message, or the token. */
function outcome(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((failure: Error) => failure.message)
}

describe('loading the script', () => {
  test('happens once', async () => {
    const first = botCheck.loadBotCheck(settings)
    expect(botCheck.loadBotCheck(settings)).toBe(first)
    expect(scripts()).toHaveLength(1)
    window.grecaptcha = library
    await vi.advanceTimersByTimeAsync(100)
    expect(await first).toBe(library)
  })

  test('a loaded library is used as it is', async () => {
    window.grecaptcha = library
    expect(await botCheck.loadBotCheck(settings)).toBe(library)
    expect(scripts()).toHaveLength(0)
  })

  test('an existing script is polled every 100 ms', async () => {
    const script = document.createElement('script')
    script.src = src
    document.head.append(script)
    const loaded = botCheck.loadBotCheck(settings)
    expect(scripts()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1_000)
    window.grecaptcha = { ready: library.ready }
    await vi.advanceTimersByTimeAsync(1_000)
    window.grecaptcha = library
    await vi.advanceTimersByTimeAsync(100)
    expect(await loaded).toBe(library)
  })

  test('a failure is reported and can be retried', async () => {
    const failed = outcome(botCheck.loadBotCheck(settings))
    scripts()[0]?.dispatchEvent(new Event('error'))
    expect(await failed).toBe('Failed to load reCAPTCHA script')
    expect(scripts()).toHaveLength(0)

    const again = botCheck.loadBotCheck(settings)
    expect(scripts()).toHaveLength(1)
    window.grecaptcha = library
    await vi.advanceTimersByTimeAsync(100)
    expect(await again).toBe(library)
  })

  test('a removed script is a failure', async () => {
    const failed = outcome(botCheck.loadBotCheck(settings))
    scripts()[0]?.remove()
    await vi.advanceTimersByTimeAsync(100)
    expect(await failed).toBe('Failed to load reCAPTCHA script')
  })
})

describe('a token', () => {
  test('is requested with its action', async () => {
    window.grecaptcha = library
    expect(await botCheck.getBotCheckToken('login', settings)).toBe('token')
    expect(library.execute).toHaveBeenCalledWith('key', { action: 'login' })
  })

  test('is not available without a site key', async () => {
    const token = botCheck.getBotCheckToken('login', { ...settings, recaptchaSiteKey: '' })
    expect(await outcome(token)).toBe('reCAPTCHA is not configured. Please contact support.')
  })

  test('is not available without the script', async () => {
    const token = outcome(botCheck.getBotCheckToken('login', settings))
    scripts()[0]?.dispatchEvent(new Event('error'))
    expect(await token).toBe('reCAPTCHA failed to load. Please check your internet connection and try again.')
  })

  test('waiting for the script times out', async () => {
    const token = outcome(botCheck.getBotCheckToken('login', settings))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await token).toBe('reCAPTCHA failed to load. Please check your internet connection and try again.')
  })

  test('is rejected by the provider', async () => {
    window.grecaptcha = library
    library.execute.mockRejectedValue(new Error('no'))
    const token = botCheck.getBotCheckToken('login', settings)
    expect(await outcome(token)).toBe('reCAPTCHA verification failed. Please try again.')
  })

  test('is rejected with null, as the provider does', async () => {
    window.grecaptcha = library
    library.execute.mockRejectedValue(null)
    const token = botCheck.getBotCheckToken('login', settings)
    expect(await outcome(token)).toBe('reCAPTCHA verification failed. Please try again.')
  })
})

describe('the start of the browser', () => {
  test('loads the script when the page is idle, and only logs a failure', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const { startBrowser } = await import('./start-browser.ts')
    const stop = startBrowser(settings)
    expect(scripts()).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(scripts()).toHaveLength(1)
    scripts()[0]?.dispatchEvent(new Event('error'))
    await vi.advanceTimersByTimeAsync(0)
    expect(warn).toHaveBeenCalledOnce()
    stop()
    warn.mockRestore()
  })

  test('loads nothing without a site key', async () => {
    const { startBrowser } = await import('./start-browser.ts')
    const stop = startBrowser({ recaptchaScriptUrl: '', recaptchaSiteKey: '' })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(scripts()).toHaveLength(0)
    stop()
  })
})

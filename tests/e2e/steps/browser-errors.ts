import type { BrowserContext } from 'playwright-core'

/** Errors in a browser during a journey, one line each, appended as they happen. */
export type BrowserErrors = string[]

/** In Chromium and in Firefox. */
const ABORTED = new Set(['net::ERR_ABORTED', 'NS_BINDING_ABORTED'])

/**
 * Console errors and warnings (including content security policy violations), uncaught errors, failed requests, and requests to third parties, of every
 * page of the context.
 */
export function collectBrowserErrors(context: BrowserContext, knownOrigins: string[]): BrowserErrors {
  const troubles: BrowserErrors = []
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    troubles.push(`console ${message.type()}: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (webError) => {
    const error = webError.error()
    troubles.push(`uncaught: ${error.stack ?? error.message}`)
  })
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'unknown'
    // The browser itself aborts pending requests when a page is left.
    if (!ABORTED.has(reason)) troubles.push(`failed: ${reason} (${request.url()})`)
  })
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && !knownOrigins.includes(origin)) troubles.push(`stranger: ${request.url()}`)
  })
  return troubles
}

export function unexpected(troubles: BrowserErrors, expected: RegExp[]): string[] {
  return troubles.filter((trouble) => !expected.some((pattern) => pattern.test(trouble)))
}

/** Expected errors that did not occur. */
export function missing(troubles: BrowserErrors, expected: RegExp[]): string[] {
  return expected
    .filter((pattern) => !troubles.some((trouble) => pattern.test(trouble)))
    .map((pattern) => `expected and missing: ${pattern}`)
}

import type { Browser, Page, Response } from 'playwright-core'

/** Lighthouse's phone. */
export const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
} as const

/** The browser's own delay before it reports network idle. */
const IDLE_MS = 500

const KINDS = ['document', 'script', 'stylesheet', 'font', 'image', 'other'] as const
type Kind = (typeof KINDS)[number]

/** Bytes transferred, without headers, for everything the site sent before the first interaction. */
export interface PageWeight {
  bytes: Record<Kind, number>
  requests: number
  /** Requests to other origins. */
  elsewhere: string[]
}

/** Loads a page for the first time and waits until the network is idle. @param then actions on the page before it is measured */
export async function weighPage(
  browser: Browser,
  url: string,
  then?: (page: Page) => Promise<void>,
): Promise<PageWeight> {
  const context = await browser.newContext(PHONE)
  try {
    const page = await context.newPage()
    const responses: Response[] = []
    page.on('response', (response) => responses.push(response))
    await page.goto(url, { waitUntil: 'networkidle' })
    if (then) {
      await then(page)
      await page.waitForTimeout(IDLE_MS)
    }
    return await weigh(responses, new URL(url).origin)
  } finally {
    await context.close()
  }
}

async function weigh(responses: readonly Response[], origin: string): Promise<PageWeight> {
  const bytes = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>
  const own = responses.filter((response) => new URL(response.url()).origin === origin)
  for (const response of own) {
    const type = response.request().resourceType()
    const kind = KINDS.find((known) => known === type) ?? 'other'
    bytes[kind] += Number((await response.headerValue('content-length')) ?? 0)
  }
  const elsewhere = responses.map((response) => new URL(response.url())).filter((url) => url.origin !== origin)
  return {
    bytes,
    requests: own.length,
    elsewhere: [...new Set(elsewhere.map(({ host, pathname, protocol }) => `${protocol}//${host}${pathname}`))],
  }
}

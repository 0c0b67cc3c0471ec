import type { Browser, Page } from 'playwright-core'
import { fetchBotToken } from '../log-ins.ts'
import { becomeOfficer } from '../bench-officer.ts'
import { fillLists } from '../console-lists.ts'
import { addMembers, emailFor, PASSWORD } from '../members.ts'
import type { BenchRow } from '../row.ts'
import type { BenchSite } from '../site.ts'
import { median, number } from '../statistics.ts'
import { postJson } from '#tests/trust/http.ts'
import { launchBrowser } from '#tests/support/browser/browser.ts'

const CPU_SLOWER = 4
const WITHIN_MS = 500
const MEMBERS = 2_000
const OFFICER = 7
const WAYS = ['navigation', 'address'] as const

/** The label in the navigation, and the first line of the list. */
const LISTS: [label: string, path: string, firstRow: string][] = [
  ['Members', 'members', 'main tr[data-id]'],
  ['Payments', 'payments', 'main tr[data-id]'],
  ['Subscribers', 'subscribers', 'main tr[data-id]'],
  ['Inbox', 'messages', 'main .inbox-list li a'],
]

export const row: BenchRow = {
  name: 'first-rows',
  title: 'How soon a list of the console shows its first rows',
  async run({ site, random, count, afterwards }) {
    const own = await site()
    await addMembers(own.databaseUrl, MEMBERS, random)
    await fillLists(
      own.databaseUrl,
      { messages: 500, subscribers: MEMBERS, credentials: 50, history: 1_000, guests: 10 },
      random,
    )
    const { authorization } = await becomeOfficer(own, OFFICER)
    const browser = await launchBrowser()
    afterwards(() => browser.close())
    const page = await openConsole(browser, own, authorization)
    const rounds: { list: string; navigation: number; address: number }[][] = []
    for (let round = 0; round < count(5, 1); round++) {
      const times = []
      for (const list of LISTS) times.push({ list: list[0], ...(await timeList(page, own.url, list)) })
      rounds.push(times)
    }
    return {
      findings: WAYS.map((way) => ({
        what: `The slowest list, opened by ${way === 'address' ? 'its address' : 'the navigation'}, processor 4 times slower`,
        goal: { is: 'at most' as const, value: WITHIN_MS },
        unit: 'ms',
        digits: 0,
        rounds: rounds.map((times) => Math.max(...times.map((time) => time[way]))),
      })),
      tables: [
        {
          title: 'Each list, median, ms',
          lines: [
            ['List', 'By navigation', 'By address'],
            ...LISTS.map(([label], at) => [
              label,
              ...WAYS.map((way) => number(median(rounds.map((times) => times[at]?.[way] ?? Number.NaN)), 0)),
            ]),
          ],
        },
      ],
      notes: [
        `${number(MEMBERS, 0)} members and subscribers, 500 messages; Chromium at 1440 by 900 on the same cores, files in its cache. By navigation: from the click in the home page of the console; by address: from entering it; until the first row is painted.`,
      ],
    }
  },
}

async function openConsole(browser: Browser, site: BenchSite, authorization: string): Promise<Page> {
  const recaptchaToken = await fetchBotToken(site)
  const { body } = await postJson(site.url, '/api/auth/login', {
    identifier: emailFor(OFFICER),
    password: PASSWORD,
    recaptchaToken,
  })
  const localStorage = [
    { name: 'token', value: authorization.replace('Bearer ', '') },
    { name: 'user', value: JSON.stringify((body as { user: unknown }).user) },
  ]
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    storageState: { cookies: [], origins: [{ origin: site.url, localStorage }] },
  })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWER })
  return page
}

async function timeList(page: Page, url: string, [label, path, firstRow]: (typeof LISTS)[number]) {
  await page.goto(`${url}/console`, { waitUntil: 'networkidle' })
  const watched = { firstRow, pathname: `/console/${path}` }
  await page.evaluate(watchFirstRow, watched)
  await page
    .getByRole('navigation', { name: 'Console' })
    .getByRole('link', { name: new RegExp(`^${label}`) })
    .click()
  const navigation = await readFirstRow(page)
  await page.goto('about:blank')
  const script = await page.addInitScript(watchFirstRow, watched)
  await page.goto(url + watched.pathname, { waitUntil: 'commit' })
  const address = await readFirstRow(page)
  await script.dispose()
  return { navigation, address }
}

type Watched = typeof globalThis & { firstRowAfter?: number }

/**
 * Counts the milliseconds from the last click, or from the entering of the address, until the first row is painted. Runs in the page: what drives the browser
 * needs a tenth of a second of this slow processor for itself in each new document.
 */
function watchFirstRow({ firstRow, pathname }: { firstRow: string; pathname: string }): void {
  let clickedAt = 0
  addEventListener('click', ({ timeStamp }) => (clickedAt = timeStamp), true)
  const observer = new MutationObserver(() => {
    if (location.pathname !== pathname || !document.querySelector(firstRow)) return
    observer.disconnect()
    requestAnimationFrame(() =>
      setTimeout(() => ((globalThis as Watched).firstRowAfter = performance.now() - clickedAt)),
    )
  })
  observer.observe(document, { childList: true, subtree: true })
}

async function readFirstRow(page: Page): Promise<number> {
  const after = await page.waitForFunction(() => (globalThis as Watched).firstRowAfter, null, { polling: 50 })
  return Number(await after.jsonValue())
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { openDatabase } from '#server/db/open-database.ts'
import { createPasskey, plugInDevice } from '#tests/e2e/steps/officers.ts'
import { withBrowser } from '#tests/trust/browser/browsing.ts'
import { freePort } from '#tests/trust/faults/processes.ts'
import { until } from '#tests/trust/load.ts'
import { Faults, type Measured, type TrustRow } from '#tests/trust/row.ts'
import { startLocalSite } from '#tools/site/local-site.ts'

const PASSWORD = 'a-bridge-over-the-aire'
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

export const row: TrustRow = {
  id: 'T74',
  promise: 'First run in the browser',
  gate: true,
  target:
    'a new site answers every visitor with 503 and noindex; its set-up page is 404 without the code, and for a second browser; a new officer who has the code comes to an open site in a browser alone, over a restart for the time zone; opening is refused while a step is left; then the site answers 200 and the set-up page is 404 for good',
  run: () => withBrowser(setUp),
}

async function setUp(browser: Browser): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), 'association-trust-'))
  const port = await freePort()
  const lines: string[] = []
  const site = await startLocalSite({
    environment: {
      PATH: process.env['PATH'],
      SETUP: 'on',
      PROFILE: 'neutral',
      PORT: String(port),
      DATA_DIR: directory,
      STANDINS_PORT: String(await freePort()),
      SMTP_STANDIN_PORT: String(await freePort()),
      DNS_SERVER: '127.0.0.1:9',
    },
    say: (line) => void lines.push(line),
  })
  const faults = new Faults()
  const walk = new Walk(site.config.siteUrl, faults)
  try {
    const url = /open (\S+\/setup\?code=\S+)/.exec(lines.join('\n'))?.[1] ?? ''
    faults.expect(url !== '', 'the log has no address of the set-up page', lines.join(' ').slice(0, 200))
    for (const path of ['/', '/become-a-member', '/events.rss', '/sitemap.xml', '/robots.txt'])
      await walk.expectStatus(path, 503)
    await walk.expectStatus('/setup', 404)
    const page = await openOnDevice(browser)
    await walk.step('the association and the first officer', () => beginSite(page, url))
    await walk.expectStatus(new URL(url).pathname + new URL(url).search, 404)
    await walk.step('a passkey', () => secureAccess(page))
    await walk.step('email', () => confirmMail(page))
    await walk.step('card payments', () => sendTestEvent(page))
    await walk.step('dues', () => press(page, 'These are our dues', 'The dues are confirmed.'))
    const open = page.getByRole('button', { name: /^Open the site/ })
    faults.expect(await open.isDisabled(), 'the site can be opened while texts are left', '')
    await writeTexts(site.config.databaseUrl)
    // The site looks for new content twice a second.
    const isFinished = async () => {
      await page.reload()
      await page.getByRole('heading', { name: 'Texts to finish' }).waitFor()
      return page.getByText('Every text is finished.').isVisible()
    }
    await until(isFinished, { withinMs: 20_000, everyMs: 500 })
    await walk.step('policies', () =>
      press(page, 'We have read the policies and agree to them', 'The policies are confirmed.'),
    )
    await walk.step('opening', () => press(page, /^Open the site/, 'The site is open to visitors.'))
    await walk.expectStatus('/', 200)
    await walk.expectStatus('/setup', 404)
  } finally {
    await site.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  return { passed: faults.count === 0, reached: `${walk.times.join('; ')}; faults: ${faults}` }
}

/** Steps with their seconds, and what visitors get meanwhile. */
class Walk {
  readonly times: string[] = []
  readonly #site: string
  readonly #faults: Faults

  constructor(site: string, faults: Faults) {
    this.#site = site
    this.#faults = faults
  }

  async step(name: string, work: () => Promise<unknown>): Promise<void> {
    const startedAt = performance.now()
    await work()
    this.times.push(`${name} ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
  }

  async expectStatus(path: string, status: number): Promise<void> {
    const answer = await fetch(this.#site + path, { redirect: 'manual' })
    await answer.body?.cancel()
    this.#faults.expect(answer.status === status, `not ${status} for a visitor`, `${path} ${answer.status}`)
    if (status === 503)
      this.#faults.expect(answer.headers.get('x-robots-tag') === 'noindex', 'no noindex while closed', path)
  }
}

/** A page on a device with a built-in authenticator. */
async function openOnDevice(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  await plugInDevice(page)
  return page
}

async function beginSite(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('heading', { name: 'Your association' }).waitFor()
  for (const [label, value] of Object.entries({
    Name: 'Society of Bridge Builders',
    'Short name': 'SBB',
    City: 'Leeds',
    Country: 'GB',
    'First name': 'Asha',
    'Last name': 'Varma',
    Email: 'asha@example.org',
    Username: 'asha',
    Password: PASSWORD,
    'Confirm password': PASSWORD,
  }))
    await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByLabel('Currency').selectOption('gbp')
  await page.getByLabel('Time zone').selectOption('Europe/London')
  await page.getByLabel('Start with the texts for').selectOption('engineers')
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await page.getByRole('heading', { name: 'Your site has a first officer' }).waitFor({ timeout: 60_000 })
}

async function secureAccess(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Continue in the console' }).click()
  await createPasskey(page, PASSWORD)
  await page.getByRole('heading', { name: 'Site setup' }).waitFor()
}

async function confirmMail(page: Page): Promise<void> {
  await press(page, 'Send a test email and check the sender', /accepted a test email to asha@example\.org/)
  await press(page, 'The test email arrived', 'Email arrives.')
}

async function sendTestEvent(page: Page): Promise<void> {
  await press(page, 'Send a test event', /Stripe’s events arrive; the last came on/)
}

async function press(page: Page, button: string | RegExp, result: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.getByText(result).first().waitFor()
}

/** As if officers had written what is left, and given the policies a version. */
async function writeTexts(databaseUrl: string): Promise<void> {
  const { db, close } = openDatabase(databaseUrl, quiet)
  await sql`update content_record set value = replace(replace(value, '[…]', 'Leeds'), '"version":"draft"', '"version":"2026-12-01"')`.execute(
    db,
  )
  await sql`update content_version set version = version + 1`.execute(db)
  await close()
}

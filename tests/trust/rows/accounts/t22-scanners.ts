import type { Browser, BrowserContext } from 'playwright-core'
import { launchBrowser } from '#tests/support/browser/browser.ts'
import { request } from '#tests/trust/http.ts'
import { tally } from '#tests/trust/load.ts'
import { botToken, newPerson, Visitor, type Person } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const SCANS = 3
const STAYS_MS = 4_000
const PATIENCE_MS = 20_000

export const row: TrustRow = {
  id: 'T22',
  promise: 'Verification survives scanners',
  gate: true,
  target:
    'a scanner opens the link with GET, HEAD and full Chromium, 3 times, then the person in another browser: the person reaches payment; no session given to the scanner; account state correct',
  async run({ world: start, count }) {
    const world = await start({ pages: true })
    const faults = new Faults()
    let browser: Browser
    try {
      browser = await launchBrowser()
    } catch (error) {
      return {
        passed: false,
        reached: 'not measured',
        notes: `No Chromium starts on this machine: ${(error as Error).message}`,
      }
    }
    const outcomes: string[] = []
    try {
      for (let turn = 0; turn < count(6, 2); turn++) {
        const person = newPerson({ levelKey: turn % 3 === 2 ? 'medical_student' : 'annual_member' })
        const home = await browser.newContext()
        await registerIn(home, world, person)
        const link = await world.mailbox.link(person.email, '/email-verification')
        for (let scan = 0; scan < SCANS; scan++) await scanLink(browser, { world, link, person, faults })
        await requireState(world, { person, verified: true, faults })
        const isAtHome = turn % 2 === 0
        const human = isAtHome ? home : await browser.newContext()
        const reached = await goOn(human, { link, person, isAtHome, faults })
        outcomes.push(`${isAtHome ? 'own browser' : 'other device'}: ${reached}`)
        await human.close()
        if (!isAtHome) await home.close()
      }
    } finally {
      await browser.close()
    }
    return {
      passed: faults.count === 0,
      reached: `${outcomes.length} people after ${SCANS} scans each (${tally(outcomes)}); sessions given to scanners: ${faults.countOf('scanner got a token') + faults.countOf('scanner got a grant')}; faults: ${faults}`,
    }
  },
}

/** In the same browser, so that it has the registration's cookie. */
async function registerIn(context: BrowserContext, world: World, person: Person): Promise<void> {
  const response = await context.request.post(`${world.siteUrl}/api/auth/register`, {
    data: { ...person, recaptchaToken: await botToken(world, 'registration') },
  })
  if (response.status() !== 201) throw new Error(`register answered ${response.status()}: ${await response.text()}`)
}

interface Scan {
  world: World
  link: URL
  person: Person
  faults: Faults
}

/** A mail scanner: sends HEAD and GET, then runs the page in a browser with scripts and clicks everything. */
async function scanLink(browser: Browser, { world, link, person, faults }: Scan): Promise<void> {
  for (const method of ['HEAD', 'GET']) {
    const { status, headers } = await request(world.site.origin, { method, path: link.pathname + link.search })
    faults.expect(status === 200, `${method} answered ${status}`)
    faults.expect(headers['set-cookie'] === undefined, `${method} sets a cookie`)
  }
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(link.href)
  await page
    .getByText(/verified/i)
    .first()
    .waitFor({ timeout: PATIENCE_MS })
  await page.waitForTimeout(STAYS_MS)
  const buttons = await page.getByRole('main').getByRole('button').all()
  for (const button of buttons) await button.click({ timeout: 1_000 }).catch(() => {})
  await page.waitForTimeout(500)
  faults.expect(new URL(page.url()).origin === link.origin, 'scanner was led to payment', page.url())
  const kept = await page.evaluate(() => JSON.stringify(Object.entries(localStorage))).catch(() => '')
  faults.expect(!/"token"/.test(kept), 'scanner got a token', kept)
  const cookies = await context.cookies(`${link.origin}/api`)
  faults.expect(
    !cookies.some(({ name }) => name === 'grant'),
    'scanner got a grant',
    cookies.map(({ name }) => name).join(', '),
  )
  const started = await context.request.post(`${link.origin}/api/stripe/checkout/start`, {
    data: { levelKey: person.levelKey, email: person.email },
  })
  faults.expect(started.status() === 403, `scanner's start answered ${started.status()}`)
  await context.close()
}

async function requireState(
  world: World,
  { person, verified, faults }: { person: Person; verified: boolean; faults: Faults },
): Promise<void> {
  const { db } = world.database
  const row = await db
    .selectFrom('pendingRegistration')
    .select(['verifiedAt', 'completedAt'])
    .where('email', '=', person.email)
    .executeTakeFirst()
  faults.expect(
    (row?.verifiedAt !== null) === verified && row?.completedAt === null,
    'state after the scans',
    JSON.stringify(row),
  )
  const account = await db.selectFrom('account').select('id').where('email', '=', person.email).executeTakeFirst()
  faults.expect(account === undefined, 'account before payment')
  const login = await new Visitor(world).logIn(person.email, person.password)
  faults.expect(login.status === 401, `log-in before payment answered ${login.status}`)
}

/** The person's result: automatic in the same browser, with the password elsewhere. */
async function goOn(
  context: BrowserContext,
  { link, person, isAtHome, faults }: { link: URL; person: Person; isAtHome: boolean; faults: Faults },
): Promise<string> {
  const page = await context.newPage()
  await page.goto(link.href)
  if (!isAtHome) {
    await page.getByLabel('Password', { exact: true }).fill(person.password, { timeout: PATIENCE_MS })
    await page.getByRole('button', { name: 'Continue to payment' }).click()
  }
  const isFree = person.levelKey === 'medical_student'
  const isThere = await page
    .waitForURL((url) => (isFree ? url.pathname === '/stripe/success' : /^\/checkout\/cs_/.test(url.pathname)), {
      timeout: PATIENCE_MS,
    })
    .then(() => true)
    .catch(() => false)
  faults.expect(
    isThere,
    `did not reach ${isFree ? 'membership' : 'payment'} (${isAtHome ? 'own browser' : 'other device'})`,
    page.url(),
  )
  return isThere ? (isFree ? 'free membership' : 'payment') : page.url()
}

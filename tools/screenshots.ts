import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { Secret, TOTP } from 'otpauth'
import sharp, { type OverlayOptions } from 'sharp'
import { pageData } from '#web/app/page-data.ts'
import { launchBrowser } from '#tests/support/browser/browser.ts'

/*
 * `node tools/screenshots.ts http://localhost:3000` captures the home page of a running site with its samples as docs/site.webp, every page at three
 * widths as docs/pages.webp and, in the dark scheme, docs/pages-dark.webp, and every page of the officers' console as docs/console.webp and
 * docs/console-dark.webp, with three pages for docs/officers.md. The latter needs an officer without a passkey or authenticator app.
 */

const DOCS = resolve(import.meta.dirname, '../docs')
const SAMPLE = { officer: 'officer@example.org', member: 'annual@example.org', password: 'Peachtree-1987' }
const PUBLIC_SCREENS: Screen[] = [
  { screen: { width: 1440, height: 2_000 }, thumb: 210 },
  { screen: { width: 768, height: 1_500 }, thumb: 125 },
  { screen: { width: 360, height: 1_000 }, thumb: 90 },
]
const CONSOLE_SCREENS: Screen[] = [
  { screen: { width: 1440, height: 1_400 }, thumb: 210 },
  { screen: { width: 1024, height: 1_200 }, thumb: 160 },
  { screen: { width: 390, height: 1_000 }, thumb: 90 },
]
const SCHEMES = [
  { colorScheme: 'light', suffix: '' },
  { colorScheme: 'dark', suffix: '-dark' },
] as const
const WIDTH = 1_990
const GAP = 10
const RENDER_MS = 600
const LARGEST_BYTES = 300_000

const PUBLIC = [
  ...pageData.map(({ path }) => path).filter((path) => !['/console', '/auth/account', '/:address'].includes(path)),
  '/no-such-page',
].map((path) =>
  path.replace('/events/:id', '/events/gala-under-the-oaks').replace('/news/:id', '/news/gala-tables-open'),
)

const [origin = 'http://localhost:3000'] = process.argv.slice(2)
const browser = await launchBrowser()
try {
  await photographHome(browser)
  await capturePages(browser)
  await captureConsole(browser)
} finally {
  await browser.close()
}

interface Screen {
  screen: { width: number; height: number }
  /** The width of its pictures in the overview. */
  thumb: number
}

async function capturePages(from: Browser): Promise<void> {
  const page = await from.newPage({ reducedMotion: 'reduce' })
  const visitors = await captureAll(page, PUBLIC, PUBLIC_SCREENS)
  await logIn(page, SAMPLE.member, '/auth/account')
  const members = await captureAll(page, ['/auth/account'], PUBLIC_SCREENS)
  await page.context().close()
  for (const [index, { suffix }] of SCHEMES.entries()) {
    const rows = PUBLIC_SCREENS.map((screen, at) => ({
      screen,
      pictures: [...(visitors[index]?.[at] ?? []), ...(members[index]?.[at] ?? [])],
    }))
    await renderOverview(`pages${suffix}.webp`, rows)
  }
}

async function captureConsole(from: Browser): Promise<void> {
  const page = await from.newPage({ reducedMotion: 'reduce' })
  await logIn(page, SAMPLE.officer, '/console')
  await page.getByRole('button', { name: /^An authenticator app/ }).waitFor()
  await photograph(page, 'officer-access.webp')
  await page.getByRole('button', { name: /^An authenticator app/ }).click()
  await page.getByLabel('Your password').fill(SAMPLE.password)
  await page.getByRole('button', { name: 'Set up the app' }).click()
  await page.locator('code.secret').waitFor()
  const secret = (await page.locator('code.secret').textContent()) ?? ''
  const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) })
  await page.getByLabel('Authenticator code').fill(totp.generate())
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'I saved them' }).click()
  // The navigation beside the page, which a phone does not have.
  await page.setViewportSize({ width: 1440, height: 1_400 })
  const nav = page.getByRole('navigation', { name: 'Console' })
  await nav.waitFor()
  const links = await nav.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  const captured = await captureAll(page, links, CONSOLE_SCREENS)
  await page.emulateMedia({ colorScheme: 'light' })
  for (const name of ['today', 'messages']) {
    await page.goto(`${origin}/console${name === 'today' ? '' : `/${name}`}`, { waitUntil: 'networkidle' })
    await photograph(page, `officer-${name}.webp`)
  }
  await page.context().close()
  for (const [index, { suffix }] of SCHEMES.entries()) {
    const rows = CONSOLE_SCREENS.map((screen, at) => ({ screen, pictures: captured[index]?.[at] ?? [] }))
    await renderOverview(`console${suffix}.webp`, rows)
  }
}

async function photographHome(from: Browser): Promise<void> {
  const page = await from.newPage({ reducedMotion: 'reduce' })
  await page.goto(origin, { waitUntil: 'networkidle' })
  await photograph(page, 'site.webp', { width: 1440, height: 1_040 })
  await page.context().close()
}

/** By default as an officer sees it on a phone. */
async function photograph(page: Page, name: string, screen = { width: 360, height: 720 }): Promise<void> {
  await page.setViewportSize(screen)
  await page.waitForTimeout(RENDER_MS)
  await sharp(await page.screenshot())
    .webp({ quality: 70 })
    .toFile(resolve(DOCS, name))
}

async function logIn(page: Page, identifier: string, next: string): Promise<void> {
  await page.goto(`${origin}/auth/login?${new URLSearchParams({ next })}`)
  await page.getByLabel('Email or username').fill(identifier)
  await page.getByLabel('Password', { exact: true }).fill(SAMPLE.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL((url) => url.pathname === next)
}

/** The pictures of every address, by scheme and then by screen. */
async function captureAll(page: Page, addresses: readonly string[], screens: readonly Screen[]): Promise<Buffer[][][]> {
  const captured = SCHEMES.map(() => screens.map((): Buffer[] => []))
  for (const address of addresses) {
    for (const [at, { screen, thumb }] of screens.entries()) {
      await page.setViewportSize(screen)
      await page.goto(new URL(address, origin).href, { waitUntil: 'networkidle' })
      for (const [index, { colorScheme }] of SCHEMES.entries()) {
        await page.emulateMedia({ colorScheme })
        const picture = sharp(await page.screenshot()).resize(thumb)
        captured[index]?.[at]?.push(await picture.png().toBuffer())
      }
    }
  }
  return captured
}

async function renderOverview(name: string, rows: readonly { screen: Screen; pictures: Buffer[] }[]): Promise<void> {
  const placed: OverlayOptions[] = []
  let top = GAP
  for (const { screen, pictures } of rows) {
    const { screen: size, thumb } = screen
    const columns = Math.floor((WIDTH - GAP) / (thumb + GAP))
    const height = Math.round((size.height / size.width) * thumb) + GAP
    for (const [index, input] of pictures.entries()) {
      placed.push({
        input,
        left: GAP + (index % columns) * (thumb + GAP),
        top: top + Math.floor(index / columns) * height,
      })
    }
    top += Math.ceil(pictures.length / columns) * height
  }
  const composite = sharp({ create: { width: WIDTH, height: top, channels: 3, background: '#e9e2d3' } })
  const image = await composite.composite(placed).png().toBuffer()
  for (let quality = 70; quality >= 20; quality -= 10) {
    const file = await sharp(image).webp({ quality }).toBuffer()
    if (file.length > LARGEST_BYTES && quality > 20) continue
    writeFileSync(resolve(DOCS, name), file)
    return
  }
}

import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { Secret, TOTP } from 'otpauth'
import sharp, { type OverlayOptions } from 'sharp'
import { pageData } from '#web/app/page-data.ts'
import { launchBrowser } from '#tests/support/browser/browser.ts'

/*
 * `node tools/screenshots.ts http://localhost:3000` captures the home page of a running site with its samples as docs/site.webp, every page, wide and on
 * a phone, as docs/pages.webp, and every page of the officers' console as docs/console.webp, with three pages for docs/officers.md. The latter needs an
 * officer without a passkey or authenticator app.
 */

const DOCS = resolve(import.meta.dirname, '../docs')
const SAMPLE = { officer: 'officer@example.org', member: 'annual@example.org', password: 'Peachtree-1987' }
const WIDE = { screen: { width: 1440, height: 2_000 }, thumb: 210 }
const PHONE = { screen: { width: 360, height: 1_000 }, thumb: 105 }
const COLUMNS_WIDE = 9
const GAP = 10
const RENDER_MS = 600
const LARGEST_BYTES = 300_000

const PUBLIC = [
  ...pageData.map(({ path }) => path).filter((path) => path !== '/console' && path !== '/auth/account'),
  '/no-such-page',
].map((path) =>
  path.replace('/events/:id', '/events/gala-under-the-oaks').replace('/news/:id', '/news/gala-tables-open'),
)

const [origin = 'http://localhost:3000'] = process.argv.slice(2)
const browser = await launchBrowser()
try {
  await photographHome(browser)
  await renderOverview('pages.webp', await picturesOf(browser, PUBLIC, SAMPLE.member, ['/auth/account']))
  await renderOverview('console.webp', await consolePictures(browser))
} finally {
  await browser.close()
}

interface Pictures {
  wide: Buffer[]
  phone: Buffer[]
}

/** @param own pages captured after log-in */
async function picturesOf(
  from: Browser,
  addresses: readonly string[],
  identifier: string,
  own: readonly string[],
): Promise<Pictures> {
  const page = await from.newPage({ reducedMotion: 'reduce' })
  const pictures: Pictures = { wide: [], phone: [] }
  for (const address of addresses) await look(page, address, pictures)
  await logIn(page, identifier, '/auth/account')
  for (const address of own) await look(page, address, pictures)
  await page.context().close()
  return pictures
}

async function consolePictures(from: Browser): Promise<Pictures> {
  const page = await from.newPage({ reducedMotion: 'reduce' })
  const pictures: Pictures = { wide: [], phone: [] }
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
  const nav = page.getByRole('navigation', { name: 'Console' })
  await nav.waitFor()
  const links = await nav.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  for (const address of links) await look(page, address, pictures)
  for (const name of ['today', 'messages']) {
    await page.goto(`${origin}/console${name === 'today' ? '' : `/${name}`}`, { waitUntil: 'networkidle' })
    await photograph(page, `officer-${name}.webp`)
  }
  await page.context().close()
  return pictures
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

async function look(page: Page, address: string, { wide, phone }: Pictures): Promise<void> {
  for (const [{ screen, thumb }, into] of [
    [WIDE, wide],
    [PHONE, phone],
  ] as const) {
    await page.setViewportSize(screen)
    await page.goto(new URL(address, origin).href, { waitUntil: 'networkidle' })
    into.push(
      await sharp(await page.screenshot())
        .resize(thumb)
        .png()
        .toBuffer(),
    )
  }
}

async function renderOverview(name: string, { wide, phone }: Pictures): Promise<void> {
  const width = COLUMNS_WIDE * (WIDE.thumb + GAP) + GAP
  const columnsPhone = Math.floor((width - GAP) / (PHONE.thumb + GAP))
  const heightOf = ({ screen, thumb }: typeof WIDE) => Math.round((screen.height / screen.width) * thumb)
  const place = (pictures: Buffer[], { columns, kind, top }: { columns: number; kind: typeof WIDE; top: number }) =>
    pictures.map((input, index): OverlayOptions => ({
      input,
      left: GAP + (index % columns) * (kind.thumb + GAP),
      top: top + GAP + Math.floor(index / columns) * (heightOf(kind) + GAP),
    }))
  const wideHeight = Math.ceil(wide.length / COLUMNS_WIDE) * (heightOf(WIDE) + GAP)
  const phoneHeight = Math.ceil(phone.length / columnsPhone) * (heightOf(PHONE) + GAP)
  const composite = sharp({
    create: { width, height: wideHeight + phoneHeight + 2 * GAP, channels: 3, background: '#e9e2d3' },
  }).composite([
    ...place(wide, { columns: COLUMNS_WIDE, kind: WIDE, top: 0 }),
    ...place(phone, { columns: columnsPhone, kind: PHONE, top: wideHeight }),
  ])
  const image = await composite.png().toBuffer()
  for (let quality = 70; quality >= 20; quality -= 10) {
    const file = await sharp(image).webp({ quality }).toBuffer()
    if (file.length > LARGEST_BYTES && quality > 20) continue
    writeFileSync(resolve(DOCS, name), file)
    return
  }
}

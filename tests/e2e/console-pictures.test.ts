import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { test } from './steps/journey.ts'
import { POLL_OPTIONS, seeHeading, seeText } from './steps/expectations.ts'
import { admin, openConsoleWithApp } from './steps/officers.ts'
import { newPerson } from './steps/people.ts'

const PATIENT = { ...POLL_OPTIONS, interval: 500 }
const RED = '#b5472c'
const GREEN = '#0f5a58'

describe('pictures of the site', () => {
  test('an officer adds a picture, crops it with the keyboard, publishes an event with text from Word, and replaces the picture everywhere', async ({
    arrive,
    site,
  }) => {
    const { email, username } = newPerson()
    const halves = `Red and green for ${username}`
    const title = `An evening with ${username}`
    const said = await admin(site, 'create-officer', email, username, 'Lakshmi', 'Iyer')
    const officer = await arrive()
    await openConsoleWithApp(officer, { identifier: email, password: /^ {2}(\S{16})$/m.exec(said)?.[1] ?? '' })

    await officer.goto('/console/pictures?folder=home%2Farticles')
    await addPicture(officer, 'Choose images', `two-${username}.png`)
    await officer.getByRole('link', { name: storedName(`two-${username}.png`) }).click()
    await officer.getByLabel('Alt text', { exact: true }).fill(halves)
    await officer.getByRole('button', { name: 'Save', exact: true }).click()
    await seeHeading(officer, halves)
    const picturePage = officer.url()
    await officer.getByRole('button', { name: 'Corner top left: resize with arrow keys' }).focus()
    for (let presses = 0; presses < 10; presses++) await officer.keyboard.press('Shift+ArrowRight')
    await seeText(officer, '600 by 800 pixels, 600 from the left and 0 from the top')
    await officer.getByRole('button', { name: 'Crop', exact: true }).click()
    await seeText(officer, 'Cropped. The change is live within a minute.')
    expect(await officer.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280)

    await officer.goto('/console/content/events/new')
    await officer.getByLabel('Title', { exact: true }).fill(title)
    await officer.getByLabel('Summary').fill('Red and green.')
    await officer.getByLabel('Date', { exact: true }).fill('December 12, 2031')
    await officer.getByLabel('Place', { exact: true }).fill('Macon')
    await officer.getByRole('button', { name: 'Choose image for Pictures' }).click()
    await officer.getByRole('button', { name: halves }).click()
    const preview = officer.getByRole('region', { name: 'Preview' })
    await expect.poll(() => colorsOf(preview.locator('img').first()), POLL_OPTIONS).toBe('green')
    const words = officer.getByRole('textbox', { name: 'Description (optional)' }).first()
    await words.fill('Dear all, ')
    await paste(
      officer,
      '<p class=MsoNormal><b style="mso-bidi-font-weight:normal">Come <i>early</i></b></p>',
      'Come early',
    )
    await expect.poll(() => words.inputValue(), POLL_OPTIONS).toBe('Dear all, **Come *early***')
    await officer.keyboard.press('Control+z')
    await expect.poll(() => words.inputValue(), POLL_OPTIONS).toBe('Dear all, ')
    await officer.keyboard.press('Control+Shift+z')
    await officer.getByRole('button', { name: 'Publish', exact: true }).click()
    await seeText(officer, 'Published. The change is live.')

    const record = officer.url()
    const page = (await officer.getByRole('link', { name: 'View on site' }).getAttribute('href')) ?? ''
    const visitor = await arrive()
    await expect.poll(async () => (await visitor.request.get(page)).status(), PATIENT).toBe(200)
    const seen = async () => {
      await visitor.goto(page)
      return colorsOf(visitor.locator('main img').first())
    }
    await expect.poll(seen, PATIENT).toBe('green')

    await officer.goto(picturePage)
    await officer.getByRole('link', { name: title }).waitFor()
    expect(await officer.getByRole('button', { name: 'Delete image' }).isDisabled()).toBe(true)
    await officer.getByRole('button', { name: 'Reset crop' }).click()
    await seeText(officer, 'Crop reset.')
    await expect.poll(seen, PATIENT).toBe('red and green')
    await officer.getByRole('button', { name: 'Replace everywhere' }).click()
    await addPicture(officer, 'Choose an image', `red-${username}.png`)
    await seeText(officer, `New: ${storedName(`red-${username}.png`)}`)
    await officer.getByRole('button', { name: 'Replace', exact: true }).click()
    await seeText(officer, 'Replaced. The change is live.')
    await expect.poll(seen, PATIENT).toBe('red')

    await officer.goto(record)
    await officer.getByRole('button', { name: 'Restore version 1' }).click()
    await officer.getByRole('button', { name: 'Restore', exact: true }).click()
    await seeText(officer, 'Restored.')
    await expect.poll(seen, PATIENT).toBe('red and green')
  })

  test('a picture of 40 MB is resized on the phone before the upload, and is upright on its page', async ({
    arrive,
    site,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), 'association-picture-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const { email, username } = newPerson()
    const said = await admin(site, 'create-officer', email, username, 'Meera', 'Rao')
    const phone = await arrive({ viewport: { width: 360, height: 740 } })
    await openConsoleWithApp(phone, { identifier: email, password: /^ {2}(\S{16})$/m.exec(said)?.[1] ?? '' })
    const grain = { raw: { width: 420, height: 300, channels: 3 as const } }
    const image = sharp(randomBytes(420 * 300 * 3), grain)
      .resize(4_200, 3_000)
      .withMetadata({ orientation: 6 })
    // Like the motion photos of phones, with a few seconds of video appended.
    const film = Buffer.alloc(38_000_000)
    const buffer = Buffer.concat([await image.jpeg({ quality: 90 }).toBuffer(), film])
    await phone.goto('/console/pictures?folder=home%2Farticles')
    // A file on the disk: the browser reads it by itself, as it does on a phone.
    const file = join(folder, `grain-${username}.jpg`)
    await writeFile(file, buffer)
    await phone.getByLabel('Choose images').setInputFiles(file)
    await phone.getByText('1 added').waitFor({ timeout: 60_000 })
    await phone.getByRole('link', { name: storedName(basename(file)) }).click()
    await seeText(phone, '2400 by 3360 pixels, 0 from the left and 0 from the top')
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
})

/** An image's file name in the library: dots within it become hyphens. */
function storedName(name: string): string {
  return name.replaceAll(/\.(?=.*\.)/g, '-')
}

/** Two halves side by side, or only one of them. @param field the name of the file field */
async function addPicture(page: Page, field: string, name: string): Promise<void> {
  const red = { create: { width: 1_200, height: 800, channels: 3 as const, background: RED } }
  const half = { create: { width: 600, height: 800, channels: 3 as const, background: GREEN } }
  const right = { input: await sharp(half).png().toBuffer(), left: 600, top: 0 }
  const buffer = await (name.startsWith('two') ? sharp(red).composite([right]) : sharp(red)).png().toBuffer()
  await page.getByLabel(field).setInputFiles({ name, mimeType: 'image/png', buffer })
}

/** The colors in the picture as the browser fetched it, from left to right. */
function colorsOf(picture: Locator): Promise<string> {
  return picture.evaluate(async (img: HTMLImageElement) => {
    img.scrollIntoView()
    await img.decode()
    const canvas = document.createElement('canvas')
    canvas.width = img.naturalWidth
    canvas.height = img.naturalHeight
    const context = canvas.getContext('2d', { willReadFrequently: true })
    context?.drawImage(img, 0, 0)
    const colors = [0.1, 0.9].map((part) => {
      const [red = 0, green = 0] = context?.getImageData(canvas.width * part, canvas.height / 2, 1, 1).data ?? []
      return red > green ? 'red' : 'green'
    })
    return [...new Set(colors)].join(' and ')
  })
}

/** What the browser does on Ctrl+V. */
async function paste(page: Page, html: string, plain: string): Promise<void> {
  await page.evaluate(
    ([rich = '', words = '']) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', rich)
      clipboardData.setData('text/plain', words)
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.activeElement?.dispatchEvent(event)
    },
    [html, plain],
  )
}

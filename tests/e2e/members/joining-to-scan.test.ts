import { describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { seeHeading, seeText } from '#tests/e2e/steps/expectations.ts'
import {
  chooseLevel,
  fillRegistration,
  GOOD_CARD,
  payWith,
  submitRegistration,
  verificationLink,
} from '#tests/e2e/steps/joining.ts'
import { test } from '#tests/e2e/steps/journey.ts'
import { openConsoleAsPresident } from '#tests/e2e/steps/officers.ts'
import { newPerson } from '#tests/e2e/steps/people.ts'

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }
const OFFLINE = /ERR_INTERNET_DISCONNECTED/

describe('a member on a phone', () => {
  test('joins, fills in the record, is listed, keeps the card, and shows it without a network to an officer who scans it', async ({
    arrive,
    mailbox,
    site,
  }) => {
    const lastName = `Phone${Date.now()}`
    const member = newPerson({ firstName: 'Charulata', lastName })
    const name = `Charulata ${lastName}`
    const phone = await arrive({ ...PHONE, expects: [OFFLINE] })

    await chooseLevel(phone)
    await fillRegistration(phone, member)
    await phone.getByLabel('Specialty').selectOption('Cardiology')
    await seeNoScrolling(phone)
    await submitRegistration(phone)
    await seeHeading(phone, 'Check your email')
    await phone.goto(await verificationLink(mailbox, member))
    await payWith(phone, GOOD_CARD)
    await seeHeading(phone, 'Payment Successful!')

    await phone.goto('/auth/account/profile')
    await phone.getByRole('button', { name: 'Edit details' }).tap()
    await phone.getByLabel(/^City of practice/).fill('Macon')
    await phone.getByLabel('Who sees it: City of practice').selectOption('Members')
    await phone.getByLabel('Who sees it: Specialty').selectOption('Members')
    await phone.getByLabel(/^Mobile phone/).fill('478 555 0142')
    await phone.getByLabel('Gujarati').check()
    await seeNoScrolling(phone)
    await phone.getByRole('button', { name: 'Save details' }).tap()
    await seeText(phone, 'Your details were saved.')
    await seeText(phone, 'Macon')

    await phone.getByRole('switch', { name: /^Show me in the directory/ }).tap()
    await phone.getByRole('link', { name: 'See my entry as members do' }).tap()
    await seeHeading(phone, name)
    await seeText(phone, 'Macon')
    expect(await phone.locator('main').textContent()).not.toMatch(/0142|Gujarati/)
    await seeNoScrolling(phone)

    await phone.goto('/auth/account')
    await phone.getByRole('link', { name: 'Show membership card' }).tap()
    await seeText(phone, 'Valid today')
    await seeHeading(phone, name)
    await phone.getByRole('button', { name: 'Keep on this phone' }).tap()
    await seeText(phone, /^Works offline on this phone/)
    await seeNoScrolling(phone)

    await phone.context().setOffline(true)
    await phone.reload()
    await seeHeading(phone, name)
    await seeText(phone, /^Last checked/)
    await seeText(phone, /^This is what the site said then/)

    const officer = await arrive({ permissions: ['camera'] })
    await holdBeforeCamera(officer, await phone.screenshot())
    await openConsoleAsPresident(officer, site)
    await officer.getByRole('link', { name: 'Scan a card' }).click()
    await officer.getByRole('button', { name: 'Scan with the camera' }).click()
    await seeText(officer, `Active: ${name}`)
    await seeText(officer, /^Annual Member, no\. \d+/)
    await officer.getByRole('link', { name: `Open ${name}` }).click()
    await seeHeading(officer, name)
  })
})

async function seeNoScrolling(phone: Page): Promise<void> {
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.viewport.width)
}

/** The camera of every page that is opened from now on shows this picture. */
async function holdBeforeCamera(page: Page, picture: Buffer): Promise<void> {
  await page.addInitScript((base64) => {
    navigator.mediaDevices.getUserMedia = async () => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0)
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const canvas = document.createElement('canvas')
      canvas.width = bitmap.width
      canvas.height = bitmap.height
      const draw = () => canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
      draw()
      // A canvas that does not change sends no frames.
      setInterval(draw, 100)
      return canvas.captureStream(10)
    }
  }, picture.toString('base64'))
}

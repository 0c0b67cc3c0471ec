import { describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { linkIn } from '#tests/support/emails/mailbox.ts'
import { joinAs } from './steps/joining.ts'
import { test } from './steps/journey.ts'
import { POLL_OPTIONS, seeHeading, seeInFrame, seeText } from './steps/expectations.ts'
import { openConsoleAsSharedPresident } from './steps/officers.ts'
import { newPerson } from './steps/people.ts'

const PHONE = { viewport: { width: 360, height: 740 } }
/** Ten digits with a valid check digit. */
const NPI = '1234567893'

describe('a day at the officers’ desk', () => {
  test('a pending physician is approved and emailed', async ({ arrive, mailbox, site }) => {
    const physician = newPerson({ firstName: 'Devika', lastName: 'Menon' })
    const page = await arrive()
    await joinAs(page, { person: physician, mailbox })
    await page.goto('/auth/account/profile')
    await page.getByLabel('NPI').fill(NPI)
    await page.getByLabel('License state').fill('GA')
    await page.getByRole('button', { name: 'Submit for verification' }).click()
    await seeText(page, 'Waiting for review')

    const desk = await arrive()
    await openConsoleAsSharedPresident(desk, site)
    await desk
      .getByRole('navigation', { name: 'Console' })
      .getByRole('link', { name: /^Credentials/ })
      .click()
    await desk.getByRole('main').getByText('Devika Menon').first().click()
    await desk.getByRole('button', { name: 'Approve Devika Menon' }).click()
    await desk.getByLabel('Evidence').fill('NPI registry: active, Georgia.')
    await desk.getByRole('button', { name: 'Approve', exact: true }).click()
    await seeText(desk, 'Devika Menon was approved. We’ve emailed the member.')

    await mailbox.waitForEmail(physician.email, /^Your credentials are verified/)
    await page.reload()
    await seeText(page, 'Verified')
  })

  test('an event is published from a phone with a picture taken there', async ({ arrive, site }) => {
    const phone = await arrive(PHONE)
    await openConsoleAsSharedPresident(phone, site)
    await phone.goto('/console/content/events')
    await phone.getByRole('link', { name: 'New event' }).click()
    await phone.getByLabel('Title').fill('Mango tasting in Macon')
    await phone.getByLabel('Summary').fill('Twelve kinds, one afternoon.')
    await phone.getByLabel('Date').fill('June 13, 2099')
    await phone.getByLabel('Place').fill('Macon')
    await phone.getByRole('button', { name: 'Choose image for Pictures' }).click()
    await phone.getByLabel('Choose an image').setInputFiles({
      name: 'IMG_0042.png',
      mimeType: 'image/png',
      buffer: await photograph(phone),
    })
    await expect
      .poll(() => phone.getByLabel('Pictures (optional)', { exact: true }).inputValue(), POLL_OPTIONS)
      .toMatch(/\//)
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await phone.getByRole('button', { name: 'Publish', exact: true }).click()
    await seeText(phone, 'Published. The change is live.')

    const visitor = await arrive()
    await expect
      .poll(async () => {
        await visitor.goto('/events')
        return visitor.getByRole('link', { name: /Mango tasting in Macon/ }).count()
      }, POLL_OPTIONS)
      .toBeGreaterThan(0)
    await visitor
      .getByRole('link', { name: /Mango tasting in Macon/ })
      .first()
      .click()
    await seeHeading(visitor, 'Mango tasting in Macon')
    const picture = visitor.getByRole('main').locator('img').first()
    await expect
      .poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth), POLL_OPTIONS)
      .toBeGreaterThan(0)
  })

  test('a message is answered from the console, by an email with the association as sender and reply address', async ({
    arrive,
    mailbox,
    site,
  }) => {
    const { email } = newPerson()
    const visitor = await arrive()
    await visitor.goto('/contact')
    await visitor.getByLabel('Name').fill('Leela Varghese')
    await visitor.getByLabel('Email').fill(email)
    await visitor.getByLabel('Subject').fill(`Shadowing in a clinic ${email}`)
    await visitor.getByLabel('Message').fill('My daughter would like to shadow a physician. Whom do we ask?')
    await visitor.getByRole('button', { name: 'Send message' }).click()
    await seeText(visitor, 'Thank you! Your message has been sent successfully.')

    const desk = await arrive()
    await openConsoleAsSharedPresident(desk, site)
    await desk
      .getByRole('link', { name: /messages? to answer$/ })
      .first()
      .click()
    await desk.getByRole('link', { name: `Shadowing in a clinic ${email}` }).click()
    await desk.getByLabel('Your reply').fill('Dear Leela,\n\nplease come to the clinic on Saturday.')
    await desk.getByRole('button', { name: 'Send reply' }).click()
    await seeText(desk, 'Your reply is on its way to Leela Varghese.')

    const response = await mailbox.waitForEmail(email, /^Re: Shadowing in a clinic/)
    expect(response.from).toBe('office@example.org')
    expect(String(response.headers['reply-to'] ?? response.headers['from'])).toContain('office@example.org')
    expect(response.text).toContain('please come to the clinic on Saturday.')
    expect(response.text).toContain('> My daughter would like to shadow a physician.')
  })

  test(
    'a newsletter is composed, previewed, tested, sent after a confirmation, and read by a subscriber',
    { tags: ['core'] },
    async ({ arrive, mailbox, site }) => {
      const { email: reader } = newPerson()
      const visitor = await arrive()
      await visitor.goto('/')
      await visitor.getByRole('textbox', { name: 'Email' }).fill(reader)
      await visitor.getByRole('button', { name: 'Subscribe' }).click()
      await seeText(visitor, 'Successfully subscribed to the newsletter!')
      await visitor.goto(linkIn(await mailbox.waitForEmail(reader, /confirm/)))
      await visitor.getByRole('button', { name: 'Yes, send me the newsletter' }).click()
      await seeHeading(visitor, 'You are subscribed')

      const desk = await arrive()
      const { email: officer } = await openConsoleAsSharedPresident(desk, site)
      const title = `News of the mangoes ${reader.split('@')[0]}`
      await desk.getByRole('link', { name: 'Newsletter', exact: true }).last().click()
      await compose(desk, title)
      await desk.getByRole('button', { name: 'Send test', exact: true }).click()
      await seeText(desk, `Test email sent to ${officer}.`)
      await mailbox.waitForEmail(officer, /^\[Test\] Mangoes, at last/)

      await desk.getByRole('button', { name: 'Send now', exact: true }).click()
      await desk.getByRole('button', { name: 'Send', exact: true }).click()
      await seeText(desk, 'Sending now.')
      const message = await mailbox.waitForEmail(reader, /^Mangoes, at last/)
      expect(message.text).toContain('Twelve kinds of them')
      await expect
        .poll(async () => {
          await visitor.goto('/newsletter')
          return visitor.getByRole('article', { name: title }).count()
        }, POLL_OPTIONS)
        .toBe(1)
    },
  )
})

async function compose(desk: Page, title: string): Promise<void> {
  await desk.getByRole('button', { name: 'New newsletter' }).first().click()
  await desk.getByLabel('Title', { exact: true }).fill(title)
  await desk.getByLabel('Title', { exact: true }).press('Enter')
  const add = desk.getByRole('group', { name: 'Add a block' })
  await add.waitFor()
  await desk.getByRole('textbox', { name: 'Subject', exact: true }).fill('Mangoes, at last')
  await desk.getByLabel('Preview text').fill('And where to taste them.')
  if ((await desk.getByLabel('Text', { exact: true }).count()) === 0)
    await add.getByRole('button', { name: 'Text' }).click()
  await desk.getByLabel('Text', { exact: true }).first().fill('Twelve kinds of them, in Macon.')
  await add.getByRole('button', { name: 'Event' }).click()
  await add.getByRole('button', { name: 'Button' }).click()
  await desk.getByLabel('Button text').fill('Join us')
  await desk.getByLabel('Button link').fill('/become-a-member')
  // The editor saves by itself.
  await seeText(desk, 'All changes saved.')
  // Saving replaces the preview: one with this subject is of the saved version, and stays.
  await desk.locator('strong', { hasText: 'Mangoes, at last' }).waitFor()
  const preview = desk.locator('iframe[title="Email preview"]')
  await seeInFrame(preview, preview.contentFrame().getByText('Twelve kinds of them, in Macon.'))
  await desk.getByRole('button', { name: 'Plain text' }).click()
  await desk
    .locator('pre')
    .getByText(/Join us/)
    .waitFor()
}

/** As large as phones take them, so that the browser resizes it first. */
async function photograph(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 3_000, height: 2_000 })
    const pen = canvas.getContext('2d')
    if (pen) {
      pen.fillStyle = 'orange'
      pen.fillRect(0, 0, 3_000, 2_000)
    }
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
  return Buffer.from(base64, 'base64')
}

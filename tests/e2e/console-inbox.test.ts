import { describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { linkIn } from '#tests/support/mailbox.ts'
import { joinAs } from './steps/joining.ts'
import { test } from './steps/journey.ts'
import { PATIENCE, seeHeading, seeText } from './steps/look.ts'
import { enterAsPresident } from './steps/officers.ts'
import { newPerson } from './steps/people.ts'

const PHONE = { viewport: { width: 360, height: 740 } }
/** Ten digits whose last one fits. */
const NPI = '1234567893'

describe('a day at the officers’ desk', () => {
  test('a physician who waits is approved, and hears so by letter', async ({ arrive, mailbox, site }) => {
    const physician = newPerson({ firstName: 'Devika', lastName: 'Menon' })
    const page = await arrive()
    await joinAs(page, { person: physician, mailbox })
    await page.goto('/auth/account')
    await page.getByLabel('NPI').fill(NPI)
    await page.getByLabel('License state').fill('GA')
    await page.getByRole('button', { name: 'Send for verification' }).click()
    await seeText(page, 'Waiting for our officers')

    const desk = await arrive()
    await enterAsPresident(desk, site)
    await desk.getByRole('link', { name: /^Credentials to look at/ }).click()
    await desk.getByRole('button', { name: 'Approve Devika Menon' }).click()
    await desk.getByLabel('What you looked at').fill('NPI registry: active, Georgia.')
    await desk.getByRole('button', { name: 'Approve', exact: true }).click()
    await seeText(desk, 'Devika Menon is approved; a letter tells the member.')

    await mailbox.waitForLetter(physician.email, /^Your credentials are verified/)
    await page.reload()
    await seeText(page, 'Verified')
  })

  test('an event is published from a phone with a picture taken there', async ({ arrive, site }) => {
    const phone = await arrive(PHONE)
    await enterAsPresident(phone, site)
    await phone.goto('/console/content/events')
    await phone.getByRole('link', { name: 'New event' }).click()
    await phone.getByLabel('Title').fill('Mango tasting in Macon')
    await phone.getByLabel('In one or two sentences').fill('Twelve kinds, one afternoon.')
    await phone.getByLabel('Date').fill('June 13, 2099')
    await phone.getByLabel('Place').fill('Macon')
    await phone.getByRole('button', { name: 'Choose or add a picture for Pictures' }).click()
    await phone.getByLabel('Picture', { exact: true }).setInputFiles({
      name: 'IMG_0042.png',
      mimeType: 'image/png',
      buffer: await photograph(phone),
    })
    await phone.getByLabel('What it shows').fill('Mangoes on a table')
    await phone.getByRole('button', { name: 'Add the picture' }).click()
    await expect.poll(() => phone.getByLabel('Pictures', { exact: true }).inputValue(), PATIENCE).toMatch(/\//)
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await phone.getByRole('button', { name: 'Publish', exact: true }).click()
    await seeText(phone, 'Published. Visitors see it within a second.')

    const visitor = await arrive()
    await expect
      .poll(async () => {
        await visitor.goto('/events')
        return visitor.getByRole('link', { name: /Mango tasting in Macon/ }).count()
      }, PATIENCE)
      .toBeGreaterThan(0)
    await visitor
      .getByRole('link', { name: /Mango tasting in Macon/ })
      .first()
      .click()
    await seeHeading(visitor, 'Mango tasting in Macon')
    const picture = visitor.getByRole('main').locator('img').first()
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth), PATIENCE).toBeGreaterThan(0)
  })

  test('a message is answered from the console, by a letter that comes from and goes back to the association', async ({
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
    await enterAsPresident(desk, site)
    await desk.getByRole('link', { name: /^Messages to answer/ }).click()
    await desk.getByRole('link', { name: `Shadowing in a clinic ${email}` }).click()
    await desk.getByLabel('Your answer').fill('Dear Leela,\n\nplease come to the clinic on Saturday.')
    await desk.getByRole('button', { name: 'Send the answer' }).click()
    await seeText(desk, 'Your answer is on its way to Leela Varghese.')

    const answer = await mailbox.waitForLetter(email, /^Re: Shadowing in a clinic/)
    expect(answer.from).toBe('office@example.org')
    expect(String(answer.headers['reply-to'] ?? answer.headers['from'])).toContain('office@example.org')
    expect(answer.text).toContain('please come to the clinic on Saturday.')
    expect(answer.text).toContain('> My daughter would like to shadow a physician.')
  })

  test('a newsletter is composed, looked at, tested, sent after a second question, and read by a subscriber', async ({
    arrive,
    mailbox,
    site,
  }) => {
    const { email: reader } = newPerson()
    const visitor = await arrive()
    await visitor.goto('/')
    await visitor.getByRole('textbox', { name: 'Email' }).fill(reader)
    await visitor.getByRole('button', { name: 'Subscribe' }).click()
    await seeText(visitor, 'Successfully subscribed to the newsletter!')
    await visitor.goto(linkIn(await mailbox.waitForLetter(reader, /confirm/)))
    await visitor.getByRole('button', { name: 'Yes, send me the newsletter' }).click()
    await seeHeading(visitor, 'You are subscribed')

    const desk = await arrive()
    const { email: officer } = await enterAsPresident(desk, site)
    const title = `Letter of the mangoes ${reader.split('@')[0]}`
    await desk.getByRole('link', { name: 'Newsletter', exact: true }).last().click()
    await compose(desk, title)
    await desk.getByRole('button', { name: 'Mail a test to me' }).click()
    await seeText(desk, `The test is on its way to ${officer}.`)
    await mailbox.waitForLetter(officer, /^\[Test\] Mangoes, at last/)

    await desk.getByRole('button', { name: 'Send it now' }).click()
    await desk.getByRole('button', { name: 'Yes, send it' }).click()
    await seeText(desk, 'It is on its way.')
    const letter = await mailbox.waitForLetter(reader, /^Mangoes, at last/)
    expect(letter.text).toContain('Twelve kinds of them')
    await expect
      .poll(async () => {
        await visitor.goto('/newsletter')
        return visitor.getByRole('article', { name: title }).count()
      }, PATIENCE)
      .toBe(1)
  })
})

async function compose(desk: Page, title: string): Promise<void> {
  await desk.getByLabel('Title of a new newsletter').fill(title)
  await desk.getByLabel('Title of a new newsletter').press('Enter')
  await desk.getByLabel('Subject').fill('Mangoes, at last')
  await desk.getByLabel('First line').fill('And where to taste them.')
  const add = desk.getByRole('group', { name: 'Add a block' })
  if ((await desk.getByLabel('Words').count()) === 0) await add.getByRole('button', { name: 'Text' }).click()
  await desk.getByLabel('Words').first().fill('Twelve kinds of them, in Macon.')
  await add.getByRole('button', { name: 'Event' }).click()
  await add.getByRole('button', { name: 'Button' }).click()
  await desk.getByLabel('What it says').fill('Join us')
  await desk.getByLabel('Where it leads').fill('/become-a-member')
  await desk.getByRole('button', { name: 'Save', exact: true }).click()
  await seeText(desk, 'Everything is saved.')
  await desk
    .frameLocator('iframe[title="The letter as it would be mailed"]')
    .getByText('Twelve kinds of them, in Macon.')
    .waitFor()
  await desk.getByRole('button', { name: 'As text' }).click()
  await desk
    .locator('pre')
    .getByText(/Join us/)
    .waitFor()
}

/** As large as a phone takes them, so that the browser makes it smaller first. */
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

import { expect } from 'vitest'
import { linkIn } from '#tests/support/mailbox.ts'
import { test } from './steps/journey.ts'
import { seeHeading, seeText } from './steps/look.ts'
import { newPerson } from './steps/people.ts'

test('a visitor finds the next event, and takes it along in the calendar', async ({ arrive, site }) => {
  const page = await arrive()
  await page.goto('/')
  const card = page.getByRole('article').first()
  const name = await card.getByRole('heading', { level: 3 }).innerText()
  await card.getByRole('heading', { level: 3 }).getByRole('link').click()
  await seeHeading(page, name)
  const calendar = await page.getByRole('link', { name: /Add to calendar/ }).getAttribute('href')
  const text = await (await fetch(new URL(calendar ?? '', site.url))).text()
  expect(text).toContain('BEGIN:VEVENT')
  await page.getByRole('link', { name: /^All events/ }).click()
  await seeHeading(page, 'Events')
  await page.getByRole('tab', { name: /^Past/ }).click()
  await page.getByRole('tabpanel', { name: /^Past/ }).getByRole('heading').first().waitFor()
})

test('a reader looks for announcements; the address remembers it', async ({ arrive }) => {
  const page = await arrive()
  await page.goto('/news')
  await page
    .getByRole('link', { name: /^Announcements/ })
    .or(page.getByRole('button', { name: /^Announcements/ }))
    .click()
  await page.waitForURL(/\/news\?category=announcement$/)
  await page.reload()
  await seeText(page, /^Announcement, /)
  expect(await page.getByText(/^General News, /).count()).toBe(0)
})

test('a message reaches the officers, and its sender hears so', async ({ arrive, mailbox }) => {
  const { email } = newPerson()
  const page = await arrive()
  await page.goto('/contact?subject=Sponsorship+Inquiry')
  await page.getByLabel('Name').fill('Leela Varghese')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Message').fill('We would like to help. Whom do we ask?')
  await page.getByRole('button', { name: 'Send message' }).click()
  await seeText(page, 'Thank you! Your message has been sent successfully.')
  const toOfficers = await mailbox.waitForLetter('office@example.org', /Sponsorship Inquiry/)
  expect(toOfficers.text).toContain('Whom do we ask?')
  await mailbox.waitForLetter(email, /We received your message/)
})

test('a reader asks for the newsletter, confirms, leaves, and takes it back', async ({ arrive, mailbox }) => {
  const { email } = newPerson()
  const page = await arrive()
  await page.goto('/')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await seeText(page, 'Successfully subscribed to the newsletter!')

  await page.goto(linkIn(await mailbox.waitForLetter(email, /confirm/)))
  await page.getByRole('button', { name: 'Yes, send me the newsletter' }).click()
  await seeHeading(page, 'You are subscribed')

  await page.goto('/newsletter/unsubscribe')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await seeText(page, 'You have been unsubscribed from the newsletter.')

  await page.goto(linkIn(await mailbox.waitForLetter(email, /You left our newsletter/)))
  await page.getByRole('button', { name: 'Yes, send me the newsletter' }).click()
  await seeHeading(page, 'You are subscribed')
})

import { pageData } from '#web/app/page-data.ts'
import { expect } from 'vitest'
import { linkIn } from '#tests/support/emails/mailbox.ts'
import { test } from './steps/journey.ts'
import { POLL_OPTIONS, seeHeading, seeInFrame, seeText } from './steps/expectations.ts'
import { newPerson } from './steps/people.ts'

test('a visitor finds the next event and adds it to the calendar', { tags: ['core'] }, async ({ arrive, site }) => {
  const page = await arrive()
  await page.goto('/')
  const card = page.getByRole('article').first()
  const name = await card.getByRole('heading', { level: 3 }).innerText()
  await card.getByRole('heading', { level: 3 }).getByRole('link').click()
  await seeHeading(page, name)
  const calendar = await page
    .getByRole('link', { name: /Add to calendar/ })
    .first()
    .getAttribute('href')
  const text = await (await fetch(new URL(calendar ?? '', site.url))).text()
  expect(text).toContain('BEGIN:VEVENT')
  await page.getByRole('link', { name: /^All events/ }).click()
  await seeHeading(page, 'Events')
  await page.getByRole('tab', { name: /^Past/ }).click()
  await page.getByRole('tabpanel', { name: /^Past/ }).getByRole('heading').first().waitFor()
})

test('filtering news by announcements changes the URL', async ({ arrive }) => {
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

test(
  'a message reaches the officers, and its sender gets a confirmation',
  { tags: ['core'] },
  async ({ arrive, mailbox }) => {
    const { email } = newPerson()
    const page = await arrive()
    await page.goto('/contact?subject=Sponsorship+Inquiry')
    await page.getByLabel('Name').fill('Leela Varghese')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Message').fill('We would like to help. Whom do we ask?')
    await page.getByRole('button', { name: 'Send message' }).click()
    await seeText(page, 'Thank you! Your message has been sent successfully.')
    const toOfficers = await mailbox.waitForEmail('office@example.org', /Sponsorship Inquiry/)
    expect(toOfficers.text).toContain('Whom do we ask?')
    await mailbox.waitForEmail(email, /We received your message/)
  },
)

test('a reader subscribes, confirms, unsubscribes, and undoes it', { tags: ['core'] }, async ({ arrive, mailbox }) => {
  const { email } = newPerson()
  const page = await arrive()
  await page.goto('/')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await seeText(page, 'Successfully subscribed to the newsletter!')

  await page.goto(linkIn(await mailbox.waitForEmail(email, /confirm/)))
  await page.getByRole('button', { name: 'Yes, send me the newsletter' }).click()
  await seeHeading(page, 'You are subscribed')

  await page.goto('/newsletter/unsubscribe')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await seeText(page, 'You have been unsubscribed from the newsletter.')

  await page.goto(linkIn(await mailbox.waitForEmail(email, /You have been unsubscribed/)))
  await page.getByRole('button', { name: 'Yes, send me the newsletter' }).click()
  await seeHeading(page, 'You are subscribed')
})

test('a reader searches the newsletters, reads one, shares its link, and pages back to the first', async ({
  arrive,
  site,
}) => {
  const page = await arrive({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Newsletter' }).click()
  await seeHeading(page, 'Newsletter')
  const newsletters = page.getByRole('article')

  // The word occurs only in the newsletter.
  await page.getByLabel('Search').fill('cardamom')
  const newsletter = page.getByRole('article', { name: 'The autumn letter' })
  await newsletter.waitFor()
  await expect.poll(() => newsletters.count(), POLL_OPTIONS).toBe(1)
  await newsletter.getByRole('button', { name: 'Read' }).click()
  const shown = page.locator('iframe[title="The autumn letter"]')
  await seeInFrame(shown, shown.contentFrame().getByRole('heading', { name: 'Chai for four' }))
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await newsletter.getByRole('button', { name: 'Copy link' }).click()
  await page.getByRole('button', { name: 'Copied!' }).waitFor()
  const address = await page.evaluate(() => navigator.clipboard.readText())
  expect(address).toMatch(/\/newsletter\/view\/2026-11-autumn-letter$/)
  const text = await fetch(new URL(`${new URL(address).pathname}.txt`, site.url))
  expect(await text.text()).toContain('Crush six cardamom pods')

  await page.getByLabel('Search').fill('')
  await page.getByLabel('Year').selectOption('2025')
  await page.getByRole('article', { name: 'The year in nine numbers' }).waitFor()
  await page.getByLabel('Sort').selectOption('Oldest first')
  await expect.poll(() => newsletters.first().getByRole('heading').innerText(), POLL_OPTIONS).toBe('A first impression')
  await page.getByLabel('Year').selectOption('All years')

  // By button or by scrolling to the end, until there are no more.
  const more = page.getByRole('button', { name: 'Load more' })
  await expect
    .poll(async () => {
      await newsletters.last().scrollIntoViewIfNeeded()
      return (await more.count()) === 0 && newsletters.count()
    }, POLL_OPTIONS)
    .toBeGreaterThanOrEqual(40)
})

test('the newsletters can be read without JavaScript', async ({ arrive }) => {
  const page = await arrive({ javaScriptEnabled: false })
  await page.goto('/newsletter')
  expect(await page.getByRole('article').count()).toBe(10)
  expect(await page.getByRole('button', { name: 'Read' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Clinic days this winter' }).click()
  await seeHeading(page, 'Six open spots, four Saturdays')
})

test('a page of an older build opens the next page with one full page load', async ({ arrive }) => {
  const page = await arrive({ expects: [/Error loading route module/, /Failed to fetch dynamically/, /404/] })
  await page.goto('/events')
  const opened: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame())
      opened.push(new URL(request.url()).pathname)
  })
  // As after two deployments: the script of the other page no longer exists, here for good.
  await page
    .context()
    .route(/\/assets\/contact-[^/]*\.js/, (route) => route.fulfill({ status: 404, body: 'Not found' }))
  const links = page.getByRole('link', { name: 'Contact Us' })
  await links.first().click()
  await page.waitForURL(/\/contact$/)
  await seeHeading(page, 'Contact Us')
  expect(opened).toEqual(['/contact'])

  // Without its script that page works as plain HTML, also when it is visited again.
  await page.goto('/events')
  await page.getByRole('tab', { name: /^Past/ }).click()
  await links.first().click()
  await page.waitForURL(/\/contact$/)
  await page.waitForLoadState('networkidle')
  await seeHeading(page, 'Contact Us')
  expect(opened).toEqual(['/contact', '/events', '/contact'])
})

test('search engines are allowed on the right pages, and each URL is listed once', async ({ site }) => {
  const told = await Promise.all(
    pageData
      .filter(({ path }) => !path.includes(':') && path !== '/find-a-member')
      .map(async ({ path, indexed }) => {
        const html = await (await fetch(site.url + path)).text()
        return {
          path,
          isRight:
            html.includes('name="robots"') === !indexed &&
            html.includes(`<link rel="canonical" href="${site.url}${path}"`) === indexed,
        }
      }),
  )
  expect(told.filter(({ isRight }) => !isRight)).toEqual([])
  for (const path of ['/no-such-page', '/events/no-such-event']) {
    const html = await (await fetch(site.url + path)).text()
    expect([path, html.includes('content="noindex"'), html.includes('rel="canonical"')]).toEqual([path, true, false])
  }
})

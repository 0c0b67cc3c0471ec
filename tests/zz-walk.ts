import { readFileSync } from 'node:fs'
import { chromium } from 'playwright-core'
const url = /open (\S+)/.exec(readFileSync('/tmp/setup-site.log', 'utf8').split('***').at(-1)!)![1]!
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
const page = await context.newPage()
page.on('console', (m) => m.type() === 'error' && console.log('console:', m.text()))
page.on('pageerror', (e) => console.log('pageerror', e.message))
const tools = await context.newCDPSession(page)
await tools.send('WebAuthn.enable')
await tools.send('WebAuthn.addVirtualAuthenticator', {
  options: {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  },
})
const shot = async (n: string) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.screenshot({ path: `/tmp/shots/${n}-1440.png`, fullPage: true })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.screenshot({ path: `/tmp/shots/${n}-360.png`, fullPage: true })
  const w = await page.evaluate(() => document.documentElement.scrollWidth)
  if (w > 360) console.log(n, 'too wide', w)
  await page.setViewportSize({ width: 1440, height: 900 })
}
let t = Date.now()
const lap = (n: string) => {
  console.log(n, ((Date.now() - t) / 1000).toFixed(1) + ' s')
  t = Date.now()
}
try {
  await page.goto('http://localhost:4100/')
  await shot('closed')
  await page.goto(url)
  await page.getByRole('heading', { name: 'Your association' }).waitFor()
  lap('code')
  await shot('first')
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await page.getByText('need another look').first().waitFor()
  await shot('first-errors')
  await page.getByLabel('Name', { exact: true }).fill('Society of Bridge Builders')
  await page.getByLabel('Short name').fill('SBB')
  await page.getByLabel('City').fill('Leeds')
  await page.getByLabel('Country').fill('GB')
  await page.getByLabel('Currency').selectOption('gbp')
  await page.getByLabel('Time zone').selectOption('Europe/London')
  await page.getByLabel('Start with the texts for').selectOption('engineers')
  await page.getByLabel('First name').fill('Asha')
  await page.getByLabel('Last name').fill('Varma')
  await page.getByLabel('Email').fill('asha@example.org')
  await page.getByLabel('Username').fill('asha')
  await page.getByLabel('Password', { exact: true }).fill('a-bridge-over-the-aire')
  await page.getByLabel('Confirm password').fill('a-bridge-over-the-aire')
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await page
    .getByText('restarts')
    .first()
    .waitFor({ timeout: 5000 })
    .catch(() => {})
  await shot('restarting')
  await page.getByRole('heading', { name: 'Your site has a first officer' }).waitFor({ timeout: 60000 })
  lap('first steps with restart')
  await shot('officer')
  await page.getByRole('link', { name: 'Continue in the console' }).click()
  await page.getByRole('heading', { name: 'Secure your access' }).waitFor()
  await page.getByRole('button', { name: /^A passkey/ }).click()
  await page.getByLabel('Your password').fill('a-bridge-over-the-aire')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Passkey name').fill('Laptop')
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByRole('button', { name: 'I saved them' }).click()
  await page.getByRole('heading', { name: 'Site setup' }).waitFor()
  lap('passkey')
  await page.getByRole('heading', { name: 'Policies' }).waitFor()
  await shot('console-setup')
  await page.getByRole('button', { name: 'Send a test email and check the sender' }).click()
  await page.getByText('accepted a test email').waitFor()
  await shot('mail-check')
  await page.getByRole('button', { name: 'The test email arrived' }).click()
  await page.getByText('Email arrives.').waitFor()
  lap('mail')
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await page.getByText('events arrive; the last').waitFor({ timeout: 30000 })
  lap('cards')
  await page.getByRole('button', { name: 'These are our dues' }).click()
  await page.getByText('The dues are confirmed.').waitFor()
  lap('dues')
  await page
    .getByRole('button', { name: 'Change' })
    .first()
    .click()
    .catch(() => {})
  await shot('console-forms')
  await page.goto('http://localhost:4100/console')
  await page.getByText('steps until the site opens').waitFor()
  await shot('home')
  await page.goto('http://localhost:4100/')
  await shot('site-for-officers')
} catch (e) {
  console.log(String(e).slice(0, 800))
  await shot('failed')
}
await browser.close()

import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { createAdvanceableClock } from '#server/lib/clock.ts'
import { journeySite, type JourneySite } from '#tests/support/browser/journey-site.ts'
import { seeHeading } from './expectations.ts'
import { newPerson } from './people.ts'
import { submitLogin } from './sessions.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const run = promisify(execFile)

/** Runs a webmaster's command on the journeys' site. Resolves with its output. */
export async function admin(site: JourneySite, ...words: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [join(ROOT, 'src/server/admin.ts'), ...words], {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: site.dataDirectory,
      PORT: new URL(site.url).port,
      STANDINS_URL: site.standinsUrl,
    },
  })
  return stdout
}

/** By the site's clock, which other journeys have advanced. */
export function siteTime(): number {
  const clock = createAdvanceableClock(journeySite().dataDirectory)
  try {
    return clock.now()
  } finally {
    clock.close()
  }
}

/** Logs in to open the console and creates a passkey, on a device attached to the page. Ends at Today; resolves with the device. */
export async function openConsoleWithPasskey(
  page: Page,
  { identifier, password }: { identifier: string; password: string },
): Promise<VirtualDevice> {
  const device = await plugInDevice(page)
  await page.goto('/auth/login?next=/console')
  await submitLogin(page, { identifier, password })
  await seeHeading(page, 'Secure your access')
  await createPasskey(page, password)
  await seeHeading(page, 'Home')
  return device
}

/** Creates an officer's first passkey, at the page that asks for one. */
export async function createPasskey(page: Page, password: string): Promise<void> {
  await page.getByRole('button', { name: /^A passkey/ }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Passkey name').fill('Journey phone')
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByRole('button', { name: 'I saved them' }).click()
}

/** A phone's built-in authenticator, emulated by Chromium's developer tools. */
interface VirtualDevice {
  /** Whether the user verifies with finger, face or PIN. */
  setOwnerThere(isThere: boolean): Promise<void>
}

export async function plugInDevice(page: Page): Promise<VirtualDevice> {
  const tools = await page.context().newCDPSession(page)
  await tools.send('WebAuthn.enable')
  const { authenticatorId } = await tools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async setOwnerThere(isUserVerified) {
      await tools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
  }
}

/** Logs in to open the console and sets up an authenticator app. Ends at Today; resolves with a code generator. */
export async function openConsoleWithApp(
  page: Page,
  { identifier, password }: { identifier: string; password: string },
): Promise<(now?: number) => string> {
  await page.goto('/auth/login?next=/console')
  await submitLogin(page, { identifier, password })
  await seeHeading(page, 'Secure your access')
  await page.getByRole('button', { name: /^An authenticator app/ }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Set up the app' }).click()
  const secret = (await page.locator('code.secret').textContent()) ?? ''
  const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) })
  const codeAt = (now = siteTime()) => totp.generate({ timestamp: now })
  await page.getByLabel('Authenticator code').fill(codeAt())
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'I saved them' }).click()
  await seeHeading(page, 'Home')
  return codeAt
}

/** A new president, created by command, on a page inside the console; ends at Home. Resolves with the account. */
export async function openConsoleAsPresident(
  page: Page,
  site: JourneySite,
): Promise<{ email: string; username: string }> {
  const { email, username } = newPerson()
  const said = await admin(site, 'create-officer', email, username, 'Lakshmi', 'Iyer')
  await openConsoleWithApp(page, { identifier: email, password: /^ {2}(\S{16})$/m.exec(said)?.[1] ?? '' })
  return { email, username }
}

let president: { email: string; stored: Record<string, string> } | null = null

/** The same for journeys of a file that can share the president and the session: only the first creates them. */
export async function openConsoleAsSharedPresident(page: Page, site: JourneySite): Promise<{ email: string }> {
  if (president) {
    await page.goto('/auth/login')
    await page.evaluate((stored) => Object.assign(localStorage, stored), president.stored)
    await page.goto('/console')
    await seeHeading(page, 'Home')
  } else {
    const { email } = await openConsoleAsPresident(page, site)
    president = { email, stored: await page.evaluate(() => ({ ...localStorage })) }
  }
  return president
}

/** On the page of officers: gives a member a role for many years. */
export async function assignRole(page: Page, { member, role }: { member: string; role: string }): Promise<void> {
  await page.getByRole('button', { name: 'Assign role' }).click()
  const form = page.getByRole('dialog', { name: 'Assign role' })
  await form.getByLabel('Member', { exact: true }).fill(member)
  await form.getByRole('list', { name: 'Members found' }).getByRole('button').first().click()
  await form.getByRole('radio', { name: new RegExp(`^${role}`) }).check()
  await form.getByLabel('First day').fill('2020-01-01')
  await form.getByLabel('Last day').fill('2099-12-31')
  await form.getByRole('button', { name: 'Assign role' }).click()
}

/** On the page of officers: asks whether a role is to be removed. */
export async function openRemoval(page: Page, name: string, role: string): Promise<void> {
  await page
    .getByRole('row', { name: new RegExp(name) })
    .filter({ hasText: role })
    .getByRole('button', { name: `Actions for ${name}` })
    .click()
  await page.getByRole('menuitem', { name: `Remove role ${role}` }).click()
}

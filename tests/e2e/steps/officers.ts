import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { createAdvanceableClock } from '#server/platform/clock.ts'
import { journeySite, type JourneySite } from '#tests/support/journey-site.ts'
import { seeHeading } from './look.ts'
import { newPerson } from './people.ts'
import { submitLogin } from './sessions.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const run = promisify(execFile)

/** The webmaster's command, on the site of the journeys. Resolves with what it said. */
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

/** By the clock of the site, which other journeys have put on. */
function siteTime(): number {
  const clock = createAdvanceableClock(journeySite().dataDirectory)
  try {
    return clock.now()
  } finally {
    clock.close()
  }
}

/**
 * Logs in on the way to the console and makes a passkey, on a device that belongs to the page from then on. Ends at Today; resolves with the device.
 */
export async function enterConsoleByPasskey(
  page: Page,
  { identifier, password }: { identifier: string; password: string },
): Promise<VirtualDevice> {
  const device = await plugInDevice(page)
  await page.goto('/auth/login?next=/console')
  await submitLogin(page, { identifier, password })
  await seeHeading(page, 'Secure your access')
  await page.getByRole('button', { name: /^A passkey/ }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByLabel('Name of the passkey').fill('Journey phone')
  await page.getByRole('button', { name: 'Make the passkey' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await seeHeading(page, 'Today')
  return device
}

/** A phone's own authenticator, as Chromium's developer tools make one. */
interface VirtualDevice {
  /** Whether its owner shows finger, face or PIN when it asks. */
  setOwnerThere(isThere: boolean): Promise<void>
}

async function plugInDevice(page: Page): Promise<VirtualDevice> {
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

/** Logs in on the way to the console and sets up an authenticator app. Ends at Today; resolves with what makes codes. */
export async function enterConsole(
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
  await page.getByLabel('Code of your authenticator app').fill(codeAt())
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await seeHeading(page, 'Today')
  return codeAt
}

/** A new president, made by command, on a page inside the console; ends at Today. Resolves with the account. */
export async function enterAsPresident(page: Page, site: JourneySite): Promise<{ email: string; username: string }> {
  const { email, username } = newPerson()
  const said = await admin(site, 'create-officer', email, username, 'Lakshmi', 'Iyer')
  await enterConsole(page, { identifier: email, password: /^ {2}(\S{16})$/m.exec(said)?.[1] ?? '' })
  return { email, username }
}

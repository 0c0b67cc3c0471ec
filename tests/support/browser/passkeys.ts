import { expect } from 'vitest'
import type { CreationOptions, RequestOptions } from '#contract/passkeys.ts'
import { SoftwareAuthenticator } from './authenticator.ts'
import { newOfficer, OFFICER_PASSWORD } from './officers.ts'
import type { TestApp } from './test-app.ts'
import type { TestAnswer, TestBrowser } from './test-browser.ts'

/** The origin of the test application, whatever it listens on. */
export const SITE = 'http://localhost:3000'
/** Where a first passkey is made, and passkeys are asked. */
export const FIRST = '/api/console/second-factor/passkey'

/** A question to the owner's passkeys. */
export async function optionsFor(browser: TestBrowser): Promise<RequestOptions> {
  return (await browser.post(`${FIRST}/ask`, {})).body as RequestOptions
}

/** Makes the first passkey, on a device of its own. */
export async function enrolPasskey(browser: TestBrowser, name = 'Phone') {
  const device = new SoftwareAuthenticator(SITE)
  const begun = await browser.post(`${FIRST}/begin`, { password: OFFICER_PASSWORD })
  const credential = device.create(begun.body as CreationOptions)
  const { status, body } = await browser.post(`${FIRST}/confirm`, { name, credential })
  expect([status, body.code]).toEqual([200, undefined])
  return { device, credential, recoveryCodes: body.recoveryCodes as string[] }
}

/** A president inside the console by a passkey. */
export async function officerByPasskey(app: TestApp) {
  const officer = await newOfficer(app, ['president'])
  return { ...officer, ...(await enrolPasskey(officer.browser)) }
}

export async function proveByDevice(
  browser: TestBrowser,
  device: SoftwareAuthenticator,
  twists: Parameters<SoftwareAuthenticator['get']>[1] = {},
): Promise<TestAnswer> {
  return browser.post(`${FIRST}/prove`, { credential: device.get(await optionsFor(browser), twists) })
}

/** Of the same officer, logged in and without a second factor. */
export async function anotherSession(app: TestApp, email: string): Promise<TestBrowser> {
  const browser = app.browser()
  await browser.logIn(email, OFFICER_PASSWORD)
  return browser
}

import { expect } from 'vitest'
import type { CreationOptions, RequestOptions } from '#contract/public/passkeys.ts'
import { SoftwareAuthenticator } from './authenticator.ts'
import { newOfficer, OFFICER_PASSWORD } from '../officers.ts'
import type { TestApp } from '../test-app.ts'
import type { TestResponse, TestBrowser } from './test-browser.ts'

/** The origin of the test application, regardless of its port. */
export const SITE = 'http://localhost:3000'
/** The paths that create a first passkey and request a passkey. */
export const FIRST = '/api/console/second-factor/passkey'

/** A request for the user's passkeys. */
export async function optionsFor(browser: TestBrowser): Promise<RequestOptions> {
  return (await browser.post(`${FIRST}/ask`, {})).body as RequestOptions
}

/** Creates the first passkey, on a new device. */
export async function enrolPasskey(browser: TestBrowser, name = 'Phone') {
  const device = new SoftwareAuthenticator(SITE)
  const begun = await browser.post(`${FIRST}/begin`, { password: OFFICER_PASSWORD })
  const credential = device.create(begun.body as CreationOptions)
  const { status, body } = await browser.post(`${FIRST}/confirm`, { name, credential })
  expect([status, body.code]).toEqual([200, undefined])
  return { device, credential, recoveryCodes: body.recoveryCodes as string[] }
}

/** A president who opened the console with a passkey. */
export async function officerByPasskey(app: TestApp) {
  const officer = await newOfficer(app, ['president'])
  return { ...officer, ...(await enrolPasskey(officer.browser)) }
}

export async function proveByDevice(
  browser: TestBrowser,
  device: SoftwareAuthenticator,
  twists: Parameters<SoftwareAuthenticator['get']>[1] = {},
): Promise<TestResponse> {
  return browser.post(`${FIRST}/prove`, { credential: device.get(await optionsFor(browser), twists) })
}

/** A session of the same officer, logged in without a second factor. */
export async function anotherSession(app: TestApp, email: string): Promise<TestBrowser> {
  const browser = app.browser()
  await browser.logIn(email, OFFICER_PASSWORD)
  return browser
}

import { Secret, TOTP } from 'otpauth'
import type { Role } from '#contract/access.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { addTerm } from '#server/features/officers/officer.commands.ts'
import { recordVerification } from '#server/features/officers/factors/second-factor.repository.ts'
import { newId } from '#server/lib/ids.ts'
import type { TestApp } from './test-app.ts'
import type { TestBrowser } from './browser/test-browser.ts'

/** Meets the length rule for officers. */
export const OFFICER_PASSWORD = 'monsoon-in-macon-twice'

const known = new WeakMap<TestApp, Map<string, TestBrowser>>()

/**
 * A browser of an officer with these roles, in a session with a fresh second factor. One for each set of roles and application: tests that end a term or
 * a session create their own (`newOfficer`).
 */
export async function officerWith(app: TestApp, roles: readonly Role[]): Promise<TestBrowser> {
  const officers = known.get(app) ?? new Map<string, TestBrowser>()
  known.set(app, officers)
  const key = roles.join(' ')
  const there = officers.get(key)
  if (there) return there
  const { browser } = await newOfficer(app, roles)
  await recordSecondFactor(app, browser)
  officers.set(key, browser)
  return browser
}

/** A member who holds these roles from today on; without a second factor. */
export async function newOfficer(
  app: TestApp,
  roles: readonly Role[],
  levelKey = 'medical_student',
): Promise<{ browser: TestBrowser; accountId: string; email: string }> {
  const browser = app.browser()
  const { email } = await browser.join({ levelKey, password: OFFICER_PASSWORD })
  const { db } = app.database
  const { id: accountId } = await db
    .selectFrom('account')
    .select('id')
    .where('emailKey', '=', email)
    .executeTakeFirstOrThrow()
  const startsOn = dayOf(app.now(), app.config.timeZone)
  for (const role of roles) {
    const term = { id: newId(app.now()), accountId, role, startsOn, endsOn: addDays(startsOn, 365) }
    await addTerm(db, { ...term, givenBy: 'webmaster' }, app.now())
  }
  return { browser, accountId, email }
}

/** As if the officer had just entered a code. */
export async function recordSecondFactor(app: TestApp, browser: TestBrowser): Promise<void> {
  const { sid, sub } = JSON.parse(Buffer.from(String(browser.token).split('.')[1] ?? '', 'base64url').toString()) as {
    sid: string
    sub: string
  }
  await recordVerification(app.database.db, { sessionId: sid, accountId: sub, now: app.now() })
}

/** The code of an authenticator app for a secret at a time. */
export function totpCodeAt(secret: string, now: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({ timestamp: now })
}

import { Secret, TOTP } from 'otpauth'
import type { Role } from '#contract/access.ts'
import { dayOf } from '#contract/dates.ts'
import { addDays } from '#contract/days.ts'
import { addTerm } from '#server/features/console/officer.repository.ts'
import { recordProof } from '#server/features/console/second-factor.repository.ts'
import { newId } from '#server/platform/ids.ts'
import type { TestApp } from './test-app.ts'
import type { TestBrowser } from './test-browser.ts'

/** Long enough for an officer. */
export const OFFICER_PASSWORD = 'monsoon-in-macon-twice'

const known = new WeakMap<TestApp, Map<string, TestBrowser>>()

/**
 * A browser whose owner holds these roles today, in a session that has just given its second factor. One a set of roles and application: tests that end
 * a term or a session make one of their own (`newOfficer`).
 */
export async function officerWith(app: TestApp, roles: readonly Role[]): Promise<TestBrowser> {
  const officers = known.get(app) ?? new Map<string, TestBrowser>()
  known.set(app, officers)
  const key = roles.join(' ')
  const there = officers.get(key)
  if (there) return there
  const { browser } = await newOfficer(app, roles)
  await prove(app, browser)
  officers.set(key, browser)
  return browser
}

/** Somebody who joined and holds these roles from today on; without a second factor. */
export async function newOfficer(
  app: TestApp,
  roles: readonly Role[],
): Promise<{ browser: TestBrowser; accountId: string; email: string }> {
  const browser = app.browser()
  const { email } = await browser.join({ levelKey: 'medical_student', password: OFFICER_PASSWORD })
  const { db } = app.database
  const { id: accountId } = await db
    .selectFrom('account')
    .select('id')
    .where('email_key', '=', email)
    .executeTakeFirstOrThrow()
  const startsOn = dayOf(app.now(), app.config.timeZone)
  for (const role of roles) {
    const term = { id: newId(app.now()), accountId, role, startsOn, endsOn: addDays(startsOn, 365) }
    await addTerm(db, { ...term, givenBy: 'webmaster' }, app.now())
  }
  return { browser, accountId, email }
}

/** As if the owner had typed a code now. */
export async function prove(app: TestApp, browser: TestBrowser): Promise<void> {
  const { sid, sub } = JSON.parse(Buffer.from(String(browser.token).split('.')[1] ?? '', 'base64url').toString()) as {
    sid: string
    sub: string
  }
  await recordProof(app.database.db, { sessionId: sid, accountId: sub, now: app.now() })
}

/** What an authenticator app shows for a secret at an instant. */
export function codeAt(secret: string, now: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({ timestamp: now })
}

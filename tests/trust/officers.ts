import { Secret, TOTP } from 'otpauth'
import type { Role } from '#contract/access.ts'
import { dayOf } from '#contract/dates.ts'
import { addDays } from '#contract/days.ts'
import { addTerm } from '#server/features/console/officer.repository.ts'
import { newId } from '#server/platform/ids.ts'
import { expectStatus, newPerson, Visitor } from './people.ts'
import type { World } from './site.ts'

/** Somebody with a role for today, whose authenticator app is set up through the site's own calls. */
export interface TrustOfficer {
  visitor: Visitor
  accountId: string
  email: string
  password: string
  /** What the app shows at an instant of the site's clock. */
  codeAt(now: number): string
}

/** @param turn which instance the app was set up on; each officer's codes begin with the present one, so one is used up */
export async function makeOfficer(world: World, roles: readonly Role[], turn = 0): Promise<TrustOfficer> {
  const visitor = new Visitor(world, { site: world.siteOf(turn) })
  const person = await visitor.join(newPerson({ levelKey: 'medical_student' }))
  const { db } = world.database
  const { id: accountId } = await db
    .selectFrom('account')
    .select('id')
    .where('email_key', '=', person.email)
    .executeTakeFirstOrThrow()
  const now = Date.now()
  const startsOn = dayOf(now, 'America/New_York')
  for (const role of roles) {
    const term = { id: newId(now), accountId, role, startsOn, endsOn: addDays(startsOn, 30) }
    await addTerm(db, { ...term, givenBy: 'webmaster' }, now)
  }
  const { password, email } = person
  const begun = expectStatus(await visitor.post('/api/console/second-factor/begin', { password }), 200, 'begin')
  const totp = new TOTP({ secret: Secret.fromBase32(String(begun.body.secret).replaceAll(' ', '')) })
  const codeAt = (instant: number) => totp.generate({ timestamp: instant })
  const confirmed = await visitor.post('/api/console/second-factor/confirm', { code: codeAt(Date.now()) })
  expectStatus(confirmed, 200, 'confirm')
  return { visitor, accountId, email, password, codeAt }
}

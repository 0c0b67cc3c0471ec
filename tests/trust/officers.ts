import { Secret, TOTP } from 'otpauth'
import type { Role } from '#contract/access.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { addTerm } from '#server/features/officers/officer.commands.ts'
import type { CreationOptions } from '#contract/public/passkeys.ts'
import { newId } from '#server/lib/ids.ts'
import { SoftwareAuthenticator } from '#tests/support/browser/authenticator.ts'
import { expectStatus, newPerson, Visitor } from './people.ts'
import type { World } from './site.ts'

export interface PasskeyOfficer {
  visitor: Visitor
  email: string
  password: string
  device: SoftwareAuthenticator
}

/** An officer with a role for today and a passkey, created through the site's own calls. */
export async function createPasskeyOfficer(world: World, roles: readonly Role[], turn = 0): Promise<PasskeyOfficer> {
  const { visitor, email, password } = await giveRoles(world, roles, turn)
  const device = new SoftwareAuthenticator(new URL(world.siteUrl).origin)
  const path = '/api/console/second-factor/passkey'
  const begun = expectStatus(await visitor.post(`${path}/begin`, { password }), 200, 'begin')
  const credential = device.create(begun.body as CreationOptions)
  expectStatus(await visitor.post(`${path}/confirm`, { name: 'Key', credential }), 200, 'confirm')
  return { visitor, email, password, device }
}

/** An officer with a role for today, whose authenticator app is set up through the site's own calls. */
export interface TrustOfficer {
  visitor: Visitor
  accountId: string
  email: string
  password: string
  /** The app's code at a time of the site's clock. */
  codeAt(now: number): string
}

/** @param turn the instance on which the app was set up; setting up uses the current code */
export async function createOfficer(world: World, roles: readonly Role[], turn = 0): Promise<TrustOfficer> {
  const { visitor, accountId, email, password } = await giveRoles(world, roles, turn)
  const begun = expectStatus(await visitor.post('/api/console/second-factor/begin', { password }), 200, 'begin')
  const totp = new TOTP({ secret: Secret.fromBase32(String(begun.body.secret).replaceAll(' ', '')) })
  const codeAt = (instant: number) => totp.generate({ timestamp: instant })
  const confirmed = await visitor.post('/api/console/second-factor/confirm', { code: codeAt(Date.now()) })
  expectStatus(confirmed, 200, 'confirm')
  return { visitor, accountId, email, password, codeAt }
}

async function giveRoles(world: World, roles: readonly Role[], turn: number) {
  const visitor = new Visitor(world, { site: world.siteOf(turn) })
  const person = await visitor.join(newPerson({ levelKey: 'medical_student' }))
  const { db } = world.database
  const { id: accountId } = await db
    .selectFrom('account')
    .select('id')
    .where('emailKey', '=', person.email)
    .executeTakeFirstOrThrow()
  const now = Date.now()
  const startsOn = dayOf(now, 'America/New_York')
  for (const role of roles) {
    const term = { id: newId(now), accountId, role, startsOn, endsOn: addDays(startsOn, 30) }
    await addTerm(db, { ...term, givenBy: 'webmaster' }, now)
  }
  return { visitor, accountId, email: person.email, password: person.password }
}

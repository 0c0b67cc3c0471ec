import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema/schema.ts'
import { findAccountByLogin } from '#server/features/accounts/account.queries.ts'
import { hashPassword } from '#server/features/auth/password-hash.service.ts'
import { settingsOf } from '#server/features/content-store/kinds/settings.kinds.ts'
import { tierKind } from '#server/features/content-store/kinds/support.kinds.ts'
import type { PublishedRecords } from '#server/features/content-store/record-set.rules.ts'
import { seedRsvps } from '#server/features/rsvps/sample-rsvps.service.ts'
import { seedAccount, type SampleSubscription } from './sample-accounts.service.ts'
import { seedMembers } from './sample-members.service.ts'
import { seedRecords } from './sample-records.service.ts'
import { seedMessage, seedSponsorship } from './sample-visitors.service.ts'
import type { MoreSampleFiles, SampleFiles } from './samples.schema.ts'

export type MakeSampleSubscription = (member: {
  email: string
  name: string
  levelKey: string
}) => Promise<SampleSubscription | null>

export interface WantedSamples {
  makeSubscription: MakeSampleSubscription
  /** Also `samples/more/`: as many people as a site in use has. */
  more?: boolean
}

/**
 * Inserts sample people and what they paid, wrote and sponsored. The card provider is asked first, so that everything else is one transaction.
 * @throws Error for a sample that does not fit the levels or tiers
 */
export async function seedSamples(
  db: Kysely<Schema>,
  { files, more, records }: { files: SampleFiles; more: MoreSampleFiles | null; records: PublishedRecords },
  { now, timeZone, makeSubscription }: { now: number; timeZone: string; makeSubscription: MakeSampleSubscription },
): Promise<void> {
  const { accounts, password } = files.accounts
  const passwordHash = await hashPassword(password)
  const people = await Promise.all(
    accounts.map(async (sample) => {
      const { email, firstName, lastName, membership } = sample
      const person = { email, name: `${firstName} ${lastName}`, levelKey: membership.level }
      return { sample, subscription: membership.renews ? await makeSubscription(person) : null }
    }),
  )
  const tiers = records.single(tierKind)?.tiers ?? []
  const { sponsorship, region } = settingsOf(records).settings
  const sponsoring = { tiers, logoMonths: sponsorship.logoMonths, currency: region.currency }
  const officer = accounts.find(({ isOfficer }) => isOfficer)
  await db.transaction().execute(async (tx) => {
    for (const person of people) await seedAccount(tx, { ...person, passwordHash, now, timeZone })
    const officerId = (officer && (await findAccountByLogin(tx, officer.email)))?.id ?? 'webmaster'
    if (more) {
      const seeding = { passwordHash, officerId, now, timeZone }
      await seedRecords(tx, await seedMembers(tx, more.members, seeding), { samples: more.records, now, timeZone })
    }
    for (const sample of [...files.sponsorships, ...(more?.sponsorships ?? [])])
      await seedSponsorship(tx, { sample, ...sponsoring, timeZone, now })
    for (const sample of [...files.messages, ...(more?.messages ?? [])])
      await seedMessage(tx, sample, { officerId, now })
    await seedRsvps(tx, files.rsvps, now)
  })
}

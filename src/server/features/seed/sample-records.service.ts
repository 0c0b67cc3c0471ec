import { dayOf } from '#contract/dates/dates.ts'
import type { Tx } from '#server/db/database.ts'
import { saveListing } from '#server/features/directory/directory-listing.commands.ts'
import { saveEntry } from '#server/features/member-record/record-value.commands.ts'
import type { SampleMember } from './sample-members.service.ts'
import type { MoreSampleFiles } from './samples.schema.ts'

const DAY_MS = 86_400_000
/** Levels whose members practice. */
const PHYSICIANS: readonly string[] = ['annual_member', 'life_member']

/** Fills the records of sample physicians. Most are in the directory, and most of those on the public page too. */
export async function seedRecords(
  tx: Tx,
  members: readonly SampleMember[],
  { samples, now, timeZone }: { samples: MoreSampleFiles['records']; now: number; timeZone: string },
): Promise<void> {
  const physicians = members.filter(({ level }) => PHYSICIANS.includes(level.key))
  for (const [index, { account }] of physicians.entries()) {
    const changedAt = now - (index * 5 + 1) * DAY_MS
    const confirmedOn = dayOf(changedAt, timeZone)
    const values = samples.records[index % samples.records.length] ?? {}
    for (const [fieldKey, value] of Object.entries(values)) {
      const audience = samples.shownTo[fieldKey] ?? 'officers'
      const entry = { accountId: account.id, fieldKey, value, audience, changedAt, confirmedOn }
      await saveEntry(tx, { ...entry, changedBy: 'owner' })
    }
    // Every fifth is in no list.
    if (index % 5 === 4) continue
    const choice = { inMembers: 1, inPublic: index % 5 === 3 ? 0 : 1, takesMessages: 1 } as const
    await saveListing(tx, account.id, choice, changedAt)
  }
}

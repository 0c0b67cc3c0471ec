import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema/schema.ts'
import { saveListing } from '#server/features/directory/directory-listing.commands.ts'
import { saveEntry } from '#server/features/member-record/record-value.commands.ts'

/** Groups of people with the same first name: a search for one finds a full page of people whom no other search finds. */
export const LISTED_GROUPS = 35
const CONSONANTS = 'bdfgklmnprstv'

/** A first name that sounds like no other one. */
export function groupName(group: number): string {
  return `${CONSONANTS[group % 13]}a${CONSONANTS[Math.floor(group / 13)]}om`
}

/** Puts people into the directory: members as the given one, each with a phone number for members if there is such a field. */
export async function listMany(
  db: Kysely<Schema>,
  { like, count, phoneField, now }: { like: string; count: number; phoneField?: string; now: number },
): Promise<void> {
  const account = await db.selectFrom('account').selectAll().where('id', '=', like).executeTakeFirstOrThrow()
  const membership = await db
    .selectFrom('membership')
    .selectAll()
    .where('accountId', '=', like)
    .executeTakeFirstOrThrow()
  await db.transaction().execute(async (tx) => {
    for (let n = 0; n < count; n++) {
      const accountId = `listed-${n}`
      const email = `${accountId}@example.org`
      const person = { id: accountId, username: accountId, email, emailKey: email }
      const name = { firstName: groupName(n % LISTED_GROUPS), lastName: `Listed ${n}` }
      await tx
        .insertInto('account')
        .values({ ...account, ...person, ...name })
        .execute()
      await tx
        .insertInto('membership')
        .values({ ...membership, id: `m-${n}`, accountId })
        .execute()
      if (phoneField !== undefined) {
        const entry = { accountId, fieldKey: phoneField, value: `404 555 ${String(1_000 + n)}` }
        const rest = { audience: 'members', changedAt: now, changedBy: 'owner', confirmedOn: null } as const
        await saveEntry(tx, { ...entry, ...rest })
      }
      await saveListing(tx, accountId, { inMembers: 1, inPublic: 0, takesMessages: 1 }, now)
    }
  })
}

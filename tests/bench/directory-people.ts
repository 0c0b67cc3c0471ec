import { limits } from '#contract/limits.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { gatherStatistics } from '#server/db/table-statistics.ts'
import { newId } from '#server/lib/ids.ts'
import { insertPlantedEntry } from '#server/features/directory/planted/planted-entry.repository.ts'
import { sortNameOf } from '#server/features/member-record/directory-words.commands.ts'
import { spellingsOf, wordsOf, wordsOfValue } from '#server/features/member-record/directory-words.rules.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { recordFieldKind } from '#server/features/content-store/kinds/record-fields.kinds.ts'
import { storeRecord } from '#tests/support/content/stored-records.ts'
import { lineField } from '#tests/support/record-fields.ts'
import type { Random } from '#tests/trust/random.ts'

const BATCH = 400
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const SYLLABLES = 'ka ra pa ta ma na sha va ga la cha ya ba da bha jo si mu ke ni ro su'.split(' ')
const CITIES = 'Macon Athens Savannah Augusta Columbus Marietta Decatur Roswell Albany Rome'.split(' ')
const SPECIALTIES = ['Cardiology', 'Nephrology', 'Pediatrics', 'Urology', 'Radiology', 'Psychiatry']

function syllables(random: Random, count: number): string {
  const word = Array.from({ length: count }, () => random.pick(SYLLABLES)).join('')
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Puts every member of the bench into the directory, with a name of their own and four values, and planted entries. @returns some last names */
export async function listEveryone(databaseUrl: string, random: Random): Promise<string[]> {
  const { db, close } = openDatabase(databaseUrl, quiet)
  try {
    const fields = ['specialty', 'practice', 'city', 'languages', 'school'].map((key) => lineField(key))
    await storeRecord(db, recordFieldKind, { fields })
    await db.transaction().execute(incrementContentVersion)
    const accounts = await db.selectFrom('account').select('id').orderBy('id').execute()
    const lastNames = Array.from({ length: 4_000 }, () => syllables(random, 3))
    const practices = Array.from({ length: 3_000 }, () => `${syllables(random, 2)} ${syllables(random, 3)} Clinic`)
    const now = Date.now()
    const spelled = new Set<string>()
    for (let first = 0; first < accounts.length; first += BATCH) {
      const some = accounts.slice(first, first + BATCH).map(({ id }) => ({
        id,
        firstName: syllables(random, 2),
        lastName: random.pick(lastNames),
        values: {
          specialty: random.pick(SPECIALTIES),
          practice: random.pick(practices),
          city: random.pick(CITIES),
          languages: ['Hindi', random.pick(['Odia', 'Tamil', 'Gujarati'])],
        } as Record<string, string | string[]>,
      }))
      await db.transaction().execute(async (tx) => {
        for (const { id, firstName, lastName } of some)
          await tx.updateTable('account').set({ firstName, lastName }).where('id', '=', id).execute()
        const choice = { inMembers: 1, inPublic: 0, takesMessages: 1, updatedAt: now }
        await tx
          .insertInto('directoryListing')
          .values(some.map((one) => ({ id: newId(now), accountId: one.id, sortName: sortNameOf(one), ...choice })))
          .execute()
        const values = some.flatMap(({ id: accountId, values: of }) =>
          Object.entries(of).map(([fieldKey, value]) => ({ accountId, fieldKey, value })),
        )
        const kept = { audience: 'members' as const, changedAt: now, changedBy: 'owner', confirmedOn: null }
        await tx
          .insertInto('recordValue')
          .values(
            values.map(({ value, ...one }) => ({
              ...one,
              ...kept,
              id: newId(now),
              value: JSON.stringify(value) as never,
            })),
          )
          .execute()
        const words = [
          ...some.flatMap(({ id, firstName, lastName }) =>
            wordsOf(`${firstName} ${lastName}`).map((word) => ({ word, accountId: id, fieldKey: '' })),
          ),
          ...values.flatMap(({ accountId, fieldKey, value }) =>
            wordsOfValue(value).map((word) => ({ word, accountId, fieldKey })),
          ),
        ]
        for (let at = 0; at < words.length; at += BATCH)
          await tx
            .insertInto('directoryWord')
            .values(words.slice(at, at + BATCH))
            .execute()
        const newWords = [...new Set(words.map(({ word }) => word))].filter(
          (word) => !word.startsWith('=') && !spelled.has(word),
        )
        for (const word of newWords) spelled.add(word)
        const spellings = newWords.flatMap((word) => spellingsOf(word).map((spelling) => ({ spelling, word })))
        for (let at = 0; at < spellings.length; at += BATCH)
          await tx
            .insertInto('directorySpelling')
            .values(spellings.slice(at, at + BATCH))
            .onConflict((conflict) => conflict.doNothing())
            .execute()
      })
    }
    for (const lastName of lastNames.slice(0, limits.directory.plantedMax)) {
      const person = { firstName: syllables(random, 2), lastName }
      const record = {
        specialty: 'Cardiology',
        practice: `${syllables(random, 3)} Clinic, Suite {number}`,
        city: 'Macon',
      }
      const planted = { id: newId(now), ...person, sortName: sortNameOf(person), record }
      await insertPlantedEntry(db, { ...planted, addedAt: now, addedBy: 'bench' })
    }
    await gatherStatistics(db)
    return lastNames
  } finally {
    await close()
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Insertable } from 'kysely'
import type { Schema } from '#server/db/schema/schema.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { hashPassword } from '#server/features/auth/password-hash.service.ts'
import { newId } from '#server/lib/ids.ts'
import type { Random } from '#tests/trust/random.ts'

/** The password of every member created here. */
export const PASSWORD = 'Magnolia-2041'

const DAY_MS = 86_400_000
const BATCH = 500
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const FIRST_NAMES = ['Asha', 'Vikram', 'Leela', 'Suresh', 'Nisha', 'Omar', 'Farida', 'Anand', 'Divya', 'Rahul']
const LAST_NAMES = ['Iyer', 'Bhattacharya', 'Kulkarni', 'Menon', 'Chaudhary', 'Naidu', 'Qureshi', 'Pillai', 'Sethi']

/** The email address of member number n. */
export function emailFor(number: number): string {
  return `member${number}@bench.example`
}

type Rows = {
  [Table in 'account' | 'loginName' | 'session' | 'consent' | 'membership' | 'payment']: Insertable<Schema[Table]>[]
}

/** Adds members with all their data: names, consent, a membership with its payments, past sessions. */
export async function addMembers(databaseUrl: string, count: number, random: Random): Promise<void> {
  const { db, close } = openDatabase(databaseUrl, quiet)
  const passwordHash = await hashPassword(PASSWORD)
  for (let first = 0; first < count; first += BATCH) {
    const rows: Rows = { account: [], loginName: [], session: [], consent: [], membership: [], payment: [] }
    for (let number = first; number < Math.min(count, first + BATCH); number++)
      addMember(rows, number, passwordHash, random)
    await db.transaction().execute(async (tx) => {
      for (const table of Object.keys(rows) as (keyof Rows)[]) {
        await tx.insertInto(table).values(rows[table]).execute()
      }
    })
    // The site writes to the database too.
    await sleep(5)
  }
  await close()
}

function addMember(rows: Rows, number: number, passwordHash: string, random: Random): void {
  const now = Date.now()
  const years = random.between(1, 8)
  const joinedAt = now - years * 365 * DAY_MS
  const id = newId(joinedAt)
  const email = emailFor(number)
  const username = `member.${number}`
  rows.account.push({
    id,
    username,
    email,
    emailKey: email,
    passwordHash,
    firstName: random.pick(FIRST_NAMES),
    lastName: random.pick(LAST_NAMES),
    tokenVersion: 1,
    deactivatedBy: null,
    isOfficer: 0,
    stripeCustomerId: `cus_bench${number}`,
    createdAt: joinedAt,
    updatedAt: joinedAt,
  })
  for (const name of [email, username]) {
    rows.loginName.push({ nameKey: name, accountId: id, reservedFor: null, reservedUntil: 0 })
  }
  rows.consent.push({ id: newId(joinedAt), personId: id, kind: 'terms', version: '2026-11-01', givenAt: joinedAt })
  const isForLife = random.chance(0.4)
  const levelKey = isForLife ? 'life_member' : 'annual_member'
  for (let year = 0; year < (isForLife ? 1 : years); year++) {
    const paidAt = joinedAt + year * 365 * DAY_MS
    rows.payment.push({
      id: newId(paidAt),
      accountId: id,
      checkoutId: null,
      reference: `bench:${number}:${year}`,
      levelKey,
      amount: isForLife ? 100_000 : 10_000,
      currency: 'usd',
      receiptNumber: `BENCH-${number}-${year}`,
      paidAt,
      recordedAt: paidAt,
      purpose: year === 0 ? 'start' : 'renewal',
      amountRefunded: 0,
      discount: 0,
      refundAsked: 0,
    })
  }
  rows.membership.push({
    id: newId(joinedAt),
    accountId: id,
    levelKey,
    kind: isForLife ? 'ONE_TIME' : 'RECURRING',
    startedAt: joinedAt,
    endsAt: isForLife ? null : now + random.between(1, 365) * DAY_MS,
    stripeSubscriptionId: null,
    stripeStatus: null,
    cancelAtPeriodEnd: 0,
    pastDueSince: null,
    endedAt: null,
    isCurrent: 1,
    updatedAt: joinedAt,
  })
  for (let visit = 0; visit < random.between(1, 4); visit++) {
    const at = now - random.between(1, 300) * DAY_MS
    rows.session.push({
      id: newId(at),
      accountId: id,
      createdAt: at,
      lastSeenAt: at,
      browser: 'Chrome on Android',
      revokedAt: null,
      refreshedAt: null,
    })
  }
}

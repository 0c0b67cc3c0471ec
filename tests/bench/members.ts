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
  [Table in 'account' | 'login_name' | 'session' | 'consent' | 'membership' | 'payment']: Insertable<Schema[Table]>[]
}

/** Adds members with all their data: names, consent, a membership with its payments, past sessions. */
export async function addMembers(databaseUrl: string, count: number, random: Random): Promise<void> {
  const { db, close } = openDatabase(databaseUrl, quiet)
  const passwordHash = await hashPassword(PASSWORD)
  for (let first = 0; first < count; first += BATCH) {
    const rows: Rows = { account: [], login_name: [], session: [], consent: [], membership: [], payment: [] }
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
    email_key: email,
    password_hash: passwordHash,
    first_name: random.pick(FIRST_NAMES),
    last_name: random.pick(LAST_NAMES),
    token_version: 1,
    deactivated_by: null,
    is_officer: 0,
    stripe_customer_id: `cus_bench${number}`,
    created_at: joinedAt,
    updated_at: joinedAt,
  })
  for (const name of [email, username]) {
    rows.login_name.push({ name_key: name, account_id: id, reserved_for: null, reserved_until: 0 })
  }
  rows.consent.push({ id: newId(joinedAt), person_id: id, kind: 'terms', version: '2026-11-01', given_at: joinedAt })
  const isForLife = random.chance(0.4)
  const levelKey = isForLife ? 'life_member' : 'annual_member'
  for (let year = 0; year < (isForLife ? 1 : years); year++) {
    const paidAt = joinedAt + year * 365 * DAY_MS
    rows.payment.push({
      id: newId(paidAt),
      account_id: id,
      checkout_id: null,
      reference: `bench:${number}:${year}`,
      level_key: levelKey,
      amount: isForLife ? 100_000 : 10_000,
      currency: 'usd',
      receipt_number: `BENCH-${number}-${year}`,
      paid_at: paidAt,
      recorded_at: paidAt,
      purpose: year === 0 ? 'start' : 'renewal',
      amount_refunded: 0,
      discount: 0,
      refund_asked: 0,
    })
  }
  rows.membership.push({
    id: newId(joinedAt),
    account_id: id,
    level_key: levelKey,
    kind: isForLife ? 'ONE_TIME' : 'RECURRING',
    started_at: joinedAt,
    ends_at: isForLife ? null : now + random.between(1, 365) * DAY_MS,
    stripe_subscription_id: null,
    stripe_status: null,
    cancel_at_period_end: 0,
    past_due_since: null,
    ended_at: null,
    is_current: 1,
    updated_at: joinedAt,
  })
  for (let visit = 0; visit < random.between(1, 4); visit++) {
    const at = now - random.between(1, 300) * DAY_MS
    rows.session.push({
      id: newId(at),
      account_id: id,
      created_at: at,
      last_seen_at: at,
      browser: 'Chrome on Android',
      revoked_at: null,
      refreshed_at: null,
    })
  }
}

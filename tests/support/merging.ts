import { sql } from 'kysely'
import { beforeAll, expect } from 'vitest'
import type { ConsoleMember } from '#contract/console/member.ts'
import type { MergePlan } from '#contract/console/merge.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { listDataTables } from '#server/db/schema/tables.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { invariants } from '#server/monitoring/invariants/all-invariants.ts'
import { newOfficer, recordSecondFactor } from './officers.ts'
import type { TestApp } from './test-app.ts'
import type { TestBrowser } from './browser/test-browser.ts'
import { recordDues } from './orders/record-dues.ts'

/** Differences allowed in the remaining account. */
export const KEEP = { name: 'kept' }

/** A person who joined. */
export interface Person {
  id: string
  email: string
  username: string
  browser: TestBrowser
}

/** Officers who merge, people with two accounts, and a snapshot of every row. */
export function useMerging(app: () => TestApp) {
  const officers = {} as { secretary: TestBrowser; viewer: TestBrowser }

  beforeAll(async () => {
    officers.secretary = (await newOfficer(app(), ['secretary', 'treasurer'])).browser
    officers.viewer = (await newOfficer(app(), ['viewer'])).browser
    await recordSecondFactor(app(), officers.secretary)
    await recordSecondFactor(app(), officers.viewer)
  })

  const db = () => app().database.db
  const look = async (id: string) => (await officers.secretary.get(`/api/console/members/${id}`)).body as ConsoleMember

  async function join(levelKey = 'medical_student'): Promise<Person> {
    const browser = app().browser()
    const { email, username } = await browser.join({ levelKey, firstName: 'Kala', lastName: 'Rao' })
    const { id } = await db().selectFrom('account').select('id').where('emailKey', '=', email).executeTakeFirstOrThrow()
    return { id, email, username, browser }
  }

  async function payingMember(): Promise<Person> {
    const browser = app().browser()
    const { person, start } = await browser.registerAndStart()
    await browser.verifySession(await browser.pay(start.body.sessionUrl as string))
    await app().drain()
    const { email, username } = person
    const { id } = await db().selectFrom('account').select('id').where('emailKey', '=', email).executeTakeFirstOrThrow()
    return { id, email, username, browser }
  }

  /** With a check payment, credentials, an RSVP, a sponsorship and the newsletter. */
  async function fullMember(): Promise<Person> {
    const person = await join()
    const { id, email, browser } = person
    const paidOn = dayOf(app().now(), app().config.timeZone)
    expect((await recordDues(officers.secretary, id, { reference: id, paidOn })).status).toBe(200)
    await browser.call('PUT', '/api/account/credentials', { npi: '1234567893', licenceState: 'GA' })
    await insert('rsvp', {
      id: `r-${id}`,
      event_id: 'gala',
      name: 'Kala',
      email,
      email_key: email,
      guests: 1,
      meals: '[]',
      status: 'coming',
      asked_at: 1,
      changed_at: 1,
      is_walk_in: 0,
      arrived: 0,
    })
    await insert('sponsorship', {
      id: `s-${id}`,
      name: 'Kala',
      email,
      company: 'Rao',
      tier_name: 'Gold',
      amount: 1,
      currency: 'usd',
      state: 'expired',
      attempt: 1,
      nonce_hash: 'x',
      created_at: app().now(),
      expires_at: 2,
      checked_at: 2,
      reserved_table: 0,
    })
    await subscribe(email)
    await app().drain()
    return person
  }

  async function subscribe(email: string): Promise<void> {
    await insert('subscriber', {
      id: `n-${email}`,
      email,
      email_key: email,
      state: 'subscribed',
      source: 'test',
      asked_at: 1,
      confirmed_at: 1,
      hard_bounces: 0,
      soft_bounces: 0,
    })
  }

  async function insert(table: string, row: Record<string, string | number>): Promise<void> {
    const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)))
    await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(db())
  }

  const planOf = async (kept: Person, merged: Person) =>
    (await officers.secretary.get(`/api/console/members/${kept.id}/merge/${merged.id}`)).body as MergePlan

  async function merge(kept: Person, merged: Person, choices: Record<string, string> = KEEP) {
    const { version } = await planOf(kept, merged)
    const body = { choices, version, reason: 'Joined twice' }
    return officers.secretary.post(`/api/console/members/${kept.id}/merge/${merged.id}`, body)
  }

  const undo = (id: string, merge: string) =>
    officers.secretary.post(`/api/console/members/${id}/merges/${merge}/undo`, { reason: 'Two people after all' })

  /** What every call writes, and append-only data. */
  const BESIDES = new Set(['audit', 'account_merge', 'rate_limit', 'job', 'session_proof'])

  /** Every row of every table. */
  async function everything(): Promise<Record<string, string[]>> {
    const rows: Record<string, string[]> = {}
    for (const { name } of await listDataTables(db())) {
      if (BESIDES.has(name)) continue
      const found = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db().withoutPlugins())
      rows[name] = found.rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
    }
    return rows
  }

  async function breaches(): Promise<string[]> {
    const tools = { db: db(), now: app().now(), secrets: createSecrets('x'), mediaDirectory: null }
    const found: string[] = []
    for (const { name, findViolations: find } of invariants) if ((await find(tools)).length > 0) found.push(name)
    return found
  }

  async function subscribeAgain(email: string): Promise<void> {
    await insert('subscriber', {
      id: `again-${email}`,
      email,
      email_key: email,
      state: 'pending',
      source: 'test',
      asked_at: app().now(),
      hard_bounces: 0,
      soft_bounces: 0,
    })
  }

  return {
    officers,
    db,
    look,
    join,
    payingMember,
    fullMember,
    subscribeAgain,
    planOf,
    merge,
    undo,
    everything,
    breaches,
  }
}

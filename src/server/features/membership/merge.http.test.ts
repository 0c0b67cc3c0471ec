import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ConsoleMember } from '#contract/console-member.ts'
import type { MergePlan } from '#contract/console-merge.ts'
import { dayOf } from '#contract/dates.ts'
import { listTables } from '#server/db/tables.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { invariants } from '#server/watching/invariants/invariants.ts'
import { openMailbox } from '#tests/support/mailbox.ts'
import { newOfficer, prove } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
let secretary: TestBrowser
let viewer: TestBrowser

beforeAll(async () => {
  secretary = (await newOfficer(app(), ['secretary', 'treasurer'])).browser
  viewer = (await newOfficer(app(), ['viewer'])).browser
  await prove(app(), secretary)
  await prove(app(), viewer)
})

interface Person {
  id: string
  email: string
  username: string
  browser: TestBrowser
}

const KEEP = { name: 'kept', username: 'kept', email: 'kept' }
const db = () => app().database.db
const look = async (id: string) => (await secretary.get(`/api/console/members/${id}`)).body as ConsoleMember

async function join(levelKey = 'medical_student'): Promise<Person> {
  const browser = app().browser()
  const { email, username } = await browser.join({ levelKey, firstName: 'Kala', lastName: 'Rao' })
  const { id } = await db().selectFrom('account').select('id').where('email_key', '=', email).executeTakeFirstOrThrow()
  return { id, email, username, browser }
}

async function payingMember(): Promise<Person> {
  const browser = app().browser()
  const { person, start } = await browser.registerAndStart()
  await browser.verifySession(await browser.pay(start.body.sessionUrl as string))
  await app().settle()
  const { email, username } = person
  const { id } = await db().selectFrom('account').select('id').where('email_key', '=', email).executeTakeFirstOrThrow()
  return { id, email, username, browser }
}

/** With a check paid, credentials, an RSVP, a sponsorship and the newsletter. */
async function fullMember(): Promise<Person> {
  const person = await join()
  const { id, email, browser } = person
  const { version } = await look(id)
  const paidOn = dayOf(app().now(), app().config.timeZone)
  const cheque = { levelKey: 'annual_member', method: 'cheque', reference: id, amount: '100', paidOn, version }
  expect((await secretary.post(`/api/console/members/${id}/payments`, cheque)).status).toBe(200)
  await browser.call('PUT', '/api/account/credentials', { npi: '1234567893', licenceState: 'GA' })
  await insert('rsvp', {
    ...{
      id: `r-${id}`,
      event_id: 'gala',
      name: 'Kala',
      email,
      email_key: email,
      guests: 1,
      meals: '[]',
      place: 'seat',
    },
    ...{ asked_at: 1, changed_at: 1, is_walk_in: 0, arrived: 0 },
  })
  await insert('sponsorship', {
    ...{ id: `s-${id}`, name: 'Kala', email, company: 'Rao', tier_name: 'Gold', amount: 1, currency: 'usd' },
    ...{ state: 'expired', attempt: 1, nonce_hash: 'x', created_at: app().now(), expires_at: 2, checked_at: 2 },
    ...{ reserved_table: 0 },
  })
  await subscribe(email)
  await app().settle()
  return person
}

async function subscribe(email: string): Promise<void> {
  await insert('subscriber', {
    ...{ id: `n-${email}`, email, email_key: email, state: 'subscribed', source: 'test', asked_at: 1, confirmed_at: 1 },
    ...{ hard_bounces: 0, soft_bounces: 0 },
  })
}

async function insert(table: string, row: Record<string, string | number>): Promise<void> {
  const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(db())
}

const planOf = async (kept: Person, merged: Person, email = 'kept') =>
  (await secretary.get(`/api/console/members/${kept.id}/merge/${merged.id}?email=${email}`)).body as MergePlan

async function merge(kept: Person, merged: Person, choices: Record<string, string> = KEEP) {
  const { version } = await planOf(kept, merged)
  const body = { choices, version, reason: 'Joined twice' }
  return secretary.post(`/api/console/members/${kept.id}/merge/${merged.id}`, body)
}

const undo = (id: string, merge: string) =>
  secretary.post(`/api/console/members/${id}/merges/${merge}/undo`, { reason: 'Two people after all' })

/** What every call writes for itself, and what only grows. */
const BESIDES = new Set(['audit', 'account_merge', 'rate_limit', 'job', 'session_proof'])

/** Every row of every table. */
async function everything(): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for (const { name } of await listTables(db())) {
    if (BESIDES.has(name)) continue
    const found = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db())
    rows[name] = found.rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
  }
  return rows
}

async function breaches(): Promise<string[]> {
  const tools = { db: db(), now: app().now(), secrets: createSecrets('x'), mediaDirectory: null }
  const found: string[] = []
  for (const { name, find } of invariants) if ((await find(tools)).length > 0) found.push(name)
  return found
}

describe('two accounts of one person', () => {
  test.each([
    ['names that stay', KEEP],
    ['names of the other', { name: 'merged', username: 'merged', email: 'merged' }],
  ])('with %s become one, and every row is as it was when that is undone', async (_name, choices) => {
    const kept = await join()
    const merged = await fullMember()
    expect(await breaches()).toEqual([])
    const plan = await planOf(kept, merged, choices.email)
    expect(plan.obstacles).toEqual([])
    expect(plan.merged.membership).toMatch(/^Annual Member until/)
    const before = await everything()

    const answer = await merge(kept, merged, choices)
    expect(answer.status).toBe(200)
    const winner = choices.email === 'kept' ? kept : merged
    const loser = choices.email === 'kept' ? merged : kept
    const held = answer.body as ConsoleMember
    expect(held).toMatchObject({
      email: winner.email,
      username: winner.username,
      subscription: { membershipLevel: { key: 'annual_member' }, status: 'ACTIVE' },
      payments: [{ amount: 10_000 }],
      credentials: [{ npi: '1234567893' }],
      merges: [{ isKept: true, undoRefused: null, undoneAt: null, other: { id: merged.id } }],
    })
    expect(held.merges[0]?.moved).toEqual(expect.arrayContaining(['1 payment, with its receipt', '2 memberships']))
    expect(await breaches()).toEqual([])
    const rsvp = await db().selectFrom('rsvp').select('email_key').where('id', '=', `r-${merged.id}`).executeTakeFirst()
    expect(rsvp?.email_key).toBe(winner.email)
    // Signed out, and shown the way.
    expect((await merged.browser.get('/api/account/profile')).status).toBe(403)
    const refused = await app().browser().logIn(loser.email)
    expect([refused.status, refused.body.message]).toEqual([
      403,
      `This account was merged with another one of yours. Please log in with ${winner.email}.`,
    ])
    expect((await app().browser().logIn(winner.email)).status).toBe(200)
    await db()
      .deleteFrom('session')
      .where('account_id', '=', kept.id)
      .where('created_at', '>', app().now() - 2_000)
      .execute()
    const history = (await look(kept.id)).history[0]
    expect(history).toMatchObject({ action: 'account.merged', details: { reason: 'Joined twice' } })
    expect((await secretary.post(`/api/console/members/${merged.id}/enable`, {})).body.code).toBe('IS_MERGED')

    const undone = await undo(kept.id, held.merges[0]?.id ?? '')
    expect(undone.body.merges).toMatchObject([{ undoUntil: null, undoneAt: expect.any(String) as string }])
    const after = await everything()
    for (const table of Object.keys(before)) {
      if (table === 'known_browser' || table === 'session') continue
      expect([table, after[table]]).toEqual([table, before[table]])
    }
    const ofMerged = (rows: string[] | undefined) => rows?.filter((row) => row.includes(merged.id))
    expect(ofMerged(after['session'])).toEqual(ofMerged(before['session']))
    expect(await breaches()).toEqual([])
    expect((await merged.browser.get('/api/account/profile')).status).toBe(200)
    expect((await undo(kept.id, held.merges[0]?.id ?? '')).body.code).toBe('UNDO_REFUSED')
  })

  test('asked for twice at once, it happens once', async () => {
    const [kept, merged] = [await join(), await join()]
    const { version } = await planOf(kept, merged)
    const send = () =>
      secretary.post(`/api/console/members/${kept.id}/merge/${merged.id}`, { choices: KEEP, version, reason: 'Twice' })
    const both = await Promise.all([send(), send()])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await look(kept.id)).merges).toHaveLength(1)
  })

  test('the address that went is told where to log in', async () => {
    const [kept, merged] = [await join(), await join()]
    await merge(kept, merged)
    const visitor = app().browser()
    await visitor.post('/api/email/forgot-password', {
      email: merged.email,
      recaptchaToken: await visitor.botToken('password_reset'),
    })
    await app().settle()
    const letters = await openMailbox(app().standins.url).lettersTo(merged.email)
    expect(letters.map(({ text }) => text).join(' ')).toContain(kept.email)
  })

  test('both addresses get the newsletter and have answered the same event: one copy, and both answers are told of', async () => {
    const [kept, merged] = [await fullMember(), await fullMember()]
    const plan = await planOf(kept, merged)
    expect(plan.moves).not.toContain('1 RSVP')
    expect(plan.notes.join(' ')).toMatch(/Both addresses have answered the same event/)
    expect(plan.notes.join(' ')).toMatch(/Both addresses get the newsletter/)
    await merge(kept, merged)
    const row = await db()
      .selectFrom('subscriber')
      .select('state')
      .where('id', '=', `n-${merged.email}`)
      .executeTakeFirst()
    expect(row?.state).toBe('left')
    expect(await breaches()).toEqual([])
  })
})

describe('what is not merged', () => {
  async function refusal(kept: Person, merged: Person): Promise<string> {
    const { obstacles } = await planOf(kept, merged)
    const answer = await merge(kept, merged)
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([409, 'MERGE_REFUSED', obstacles[0]])
    return String(obstacles[0])
  }

  test('subscriptions at the provider, officers, closed accounts, and oneself', async () => {
    const [one, two, plain] = [await payingMember(), await payingMember(), await join()]
    expect(await refusal(one, two)).toMatch(/Both accounts have a subscription/)
    expect(await refusal(plain, two)).toMatch(/Keep that one/)
    expect((await merge(two, plain)).status).toBe(200)
    expect((await look(two.id)).subscription?.renewal).toBe('automatic')
    expect(await breaches()).toEqual([])
    expect(await refusal(one, plain)).toMatch(/merged already/)
    const officer = await newOfficer(app(), ['editor'])
    const holder = { id: officer.accountId, email: officer.email, username: '', browser: officer.browser }
    expect(await refusal(one, holder)).toMatch(/holds a role/)
    expect((await secretary.get(`/api/console/members/${one.id}/merge/${one.id}`)).status).toBe(404)
  })

  test('what changed since it was looked at, and whoever may not', async () => {
    const [kept, merged] = [await join(), await join()]
    const { version } = await planOf(kept, merged)
    await db().updateTable('account').set({ last_name: 'Iyer' }).where('id', '=', merged.id).execute()
    const path = `/api/console/members/${kept.id}/merge/${merged.id}`
    const body = { choices: KEEP, version, reason: 'Twice' }
    expect((await secretary.post(path, body)).body.code).toBe('CHANGED_MEANWHILE')
    expect((await viewer.post(path, body)).body.code).toBe('NOT_ALLOWED')
    expect((await secretary.post(path, { ...body, reason: ' ' })).body.errors).toHaveProperty('reason')
  })
})

describe('undoing', () => {
  test.each<[string, (kept: Person, merged: Person) => Promise<unknown>, RegExp]>([
    [
      'the membership was extended',
      async (kept) => {
        const { version } = await look(kept.id)
        const term = { levelKey: 'annual_member', endsOn: '2031-01-01', reason: 'Honored', version }
        expect((await secretary.post(`/api/console/members/${kept.id}/term`, term)).status).toBe(200)
      },
      /the membership was changed since/,
    ],
    [
      'the other address subscribed anew',
      async (_kept, merged) => subscribe2(merged.email),
      /the other address was used anew/,
    ],
    [
      'the RSVP was taken off',
      async (_kept, merged) => db().deleteFrom('rsvp').where('id', '=', `r-${merged.id}`).execute(),
      /an RSVP was changed since/,
    ],
  ])('is refused with a sentence when %s, and changes nothing', async (_name, act, sentence) => {
    const [kept, merged] = [await join(), await fullMember()]
    const { merges } = (await merge(kept, merged)).body as ConsoleMember
    await act(kept, merged)
    const before = await everything()
    const shown = (await look(merged.id)).merges[0]
    expect(shown?.undoRefused).toMatch(sentence)
    const refused = await undo(merged.id, merges[0]?.id ?? '')
    expect([refused.body.code, refused.body.message]).toEqual(['UNDO_REFUSED', shown?.undoRefused])
    expect((await everything())['account']).toEqual(before['account'])
  })

  async function subscribe2(email: string): Promise<void> {
    await insert('subscriber', {
      ...{ id: `anew-${email}`, email, email_key: email, state: 'pending', source: 'test', asked_at: app().now() },
      ...{ hard_bounces: 0, soft_bounces: 0 },
    })
  }

  test('a new password, a new name of the other kind and a payment since are no hindrance: they stay where they are', async () => {
    const [kept, merged] = [await join(), await fullMember()]
    const { merges } = (await merge(kept, merged)).body as ConsoleMember
    await kept.browser.call('PUT', '/api/account/profile', {})
    await db()
      .updateTable('account')
      .set({ password_hash: 'x', first_name: 'Kalavati' })
      .where('id', '=', kept.id)
      .execute()
    const undone = await undo(kept.id, merges[0]?.id ?? '')
    expect([undone.status, undone.body.name.first]).toEqual([200, 'Kalavati'])
    await db().updateTable('account').set({ password_hash: '$argon2id$x' }).where('id', '=', kept.id).execute()
  })

  test('is over after 30 days, and what was kept for it is forgotten', async () => {
    const [kept, merged] = [await join(), await fullMember()]
    const { merges } = (await merge(kept, merged)).body as ConsoleMember
    await app().advance(31 * 86_400_000)
    await app().settle()
    const officer = (await newOfficer(app(), ['secretary', 'treasurer'])).browser
    await prove(app(), officer)
    const { body } = await officer.get(`/api/console/members/${kept.id}`)
    expect(body.merges[0]).toMatchObject({ undoUntil: null, undoneAt: null })
    const path = `/api/console/members/${kept.id}/merges/${merges[0]?.id}/undo`
    expect((await officer.post(path, { reason: 'Late' })).body.message).toMatch(/30 days/)
    const row = await db()
      .selectFrom('account_merge')
      .select('changes')
      .where('id', '=', merges[0]?.id ?? '')
      .executeTakeFirst()
    expect(row?.changes).toBe('[]')
    secretary = officer
  })
})

test('who may be the same person is suggested with why, and found by name, address and NPI', async () => {
  const [kept, merged] = [await join(), await fullMember()]
  const suggested = (await secretary.get(`/api/console/members/${merged.id}/duplicates`)).body.duplicates
  expect(suggested.find(({ id }: { id: string }) => id === kept.id)).toMatchObject({ reasons: ['the same name'] })
  const find = async (q: string) =>
    (await secretary.get(`/api/console/members/${kept.id}/duplicates?q=${encodeURIComponent(q)}`)).body.duplicates as {
      id: string
    }[]
  expect((await find('1234567893')).map(({ id }) => id)).toContain(merged.id)
  expect((await find(merged.email)).map(({ id }) => id)).toEqual([merged.id])
  expect(await find(kept.email)).toEqual([])
})

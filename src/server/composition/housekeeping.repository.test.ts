import { expect, test } from 'vitest'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { countHit } from '#server/limits/rate-limit.repository.ts'
import { createAccount, reserveUsername } from '#server/features/accounts/account.commands.ts'
import { saveOneTimeToken } from '#server/features/auth/one-time-token.commands.ts'
import { saveRegistration } from '#server/features/auth/registration/registration.repository.ts'
import { createSession, isKnownBrowser, saveKnownBrowser } from '#server/features/auth/sessions/session.repository.ts'
import { findSession } from '#server/features/auth/sessions/session.queries.ts'
import {
  decideApproval,
  findApproval,
  insertApproval,
} from '#server/features/officers/approvals/approval.repository.ts'
import { reserveCheckout } from '#server/features/memberships/checkout/checkout.repository.ts'
import { createHousekeepingJob } from './housekeeping.ts'

const db = useTestDatabase()
const DAY_MS = 86_400_000

/** Runs the job that many days from now. */
function runAfterDays(days: number): Promise<void> {
  return createHousekeepingJob(db(), { now: () => NOW + days * DAY_MS, close() {} }).run()
}

async function register(id: string): Promise<void> {
  const email = `${id}@example.com`
  await reserveUsername(db(), { username: id, email, until: NOW + DAY_MS, now: NOW })
  await saveRegistration(db(), {
    id,
    email,
    username: id,
    passwordHash: 'x',
    firstName: 'A',
    lastName: 'B',
    levelKey: 'annual_member',
    termsVersion: '1',
    record: null,
    createdAt: NOW,
    expiresAt: NOW + DAY_MS,
    verifiedAt: null,
    completedAt: null,
  })
  await saveOneTimeToken(db(), {
    id: `t-${id}`,
    purpose: 'verification',
    tokenHash: `h-${id}`,
    subjectId: id,
    createdAt: NOW,
    expiresAt: NOW + DAY_MS,
  })
}

async function openAccount(): Promise<void> {
  await createAccount(
    db(),
    {
      id: 'a',
      username: 'ana',
      email: 'a@b.example',
      passwordHash: 'x',
      firstName: 'A',
      lastName: 'B',
      createdAt: NOW,
    },
    NOW,
  )
}

async function counts() {
  const [registrations, tokens, names] = await Promise.all([
    db().selectFrom('pendingRegistration').select('id').execute(),
    db().selectFrom('oneTimeToken').select('id').execute(),
    db().selectFrom('loginName').select('nameKey').execute(),
  ])
  return [registrations.length, tokens.length, names.length]
}

test('an unfinished registration is deleted a week after it expires, with its link, name and address', async () => {
  await register('never-came-back')
  await runAfterDays(7)
  expect(await counts()).toEqual([1, 1, 1])
  await runAfterDays(8.01)
  expect(await counts()).toEqual([0, 0, 0])
})

async function order(personId: string): Promise<void> {
  await reserveCheckout(db(), {
    id: 'c',
    personId,
    levelKey: 'x',
    amount: 1,
    credit: 0,
    currency: 'usd',
    mode: 'payment',
    nonceHash: 'x',
    createdAt: NOW,
    expiresAt: NOW,
    allowsCodes: false,
    leasedUntil: NOW,
  })
}

const orders = async () => (await db().selectFrom('checkout').select('id').execute()).length

test('a registration that may still be paid is kept', async () => {
  await register('paying')
  await order('paying')
  await runAfterDays(60)
  expect((await counts())[0]).toBe(1)
})

test.each(['expired', 'failed'] as const)(
  'an order that %s is deleted after 90 days, like those of sponsors and guests',
  async (state) => {
    await order('c')
    await db().updateTable('checkout').set({ state, openKey: null }).execute()
    await runAfterDays(90)
    expect(await orders()).toBe(1)
    await runAfterDays(90.01)
    expect(await orders()).toBe(0)
  },
)

test.each(['creating', 'open', 'completed', 'refunded'] as const)('an order that is %s is kept', async (state) => {
  await order('c')
  await db().updateTable('checkout').set({ state }).execute()
  await runAfterDays(4_000)
  expect(await orders()).toBe(1)
})

test('usernames of accounts stay reserved', async () => {
  await openAccount()
  await runAfterDays(4_000)
  expect((await counts())[2]).toBe(2)
})

test('expired rate limits are deleted immediately, sessions 30 days after they began', async () => {
  await openAccount()
  await createSession(db(), { id: 's', accountId: 'a', browser: 'Firefox', now: NOW })
  await countHit(db(), 'key', 1_000, NOW)
  await runAfterDays(29)
  expect(await db().selectFrom('rateLimit').select('key').execute()).toEqual([])
  expect(await findSession(db(), 's')).not.toBeNull()
  await runAfterDays(30.01)
  expect(await findSession(db(), 's')).toBeNull()
})

test('a known browser is deleted a year after its last login, like its cookie', async () => {
  await openAccount()
  await saveKnownBrowser(db(), { browserHash: 'h', accountId: 'a', now: NOW })
  await runAfterDays(365)
  expect(await isKnownBrowser(db(), 'h', 'a')).toBe(true)
  await runAfterDays(366)
  expect(await isKnownBrowser(db(), 'h', 'a')).toBe(false)
})

test('an approval request is deleted a year after its decision, never while it is pending', async () => {
  const request = {
    act: 'member.end',
    payload: {},
    reason: 'x',
    askedBy: 'o',
    askedAt: NOW,
    expiresAt: NOW + 1,
  } as const
  await insertApproval(db(), { ...request, id: 'decided', subjectId: 'a' })
  await insertApproval(db(), { ...request, id: 'waits', subjectId: 'b' })
  await decideApproval(db(), 'decided', { state: 'declined', decidedBy: 'p', note: 'no', now: NOW })
  await runAfterDays(364)
  expect(await findApproval(db(), 'decided')).toMatchObject({ state: 'declined', note: 'no' })
  await runAfterDays(366)
  expect(await findApproval(db(), 'decided')).toBeNull()
  expect(await findApproval(db(), 'waits')).toMatchObject({ state: 'waiting' })
})

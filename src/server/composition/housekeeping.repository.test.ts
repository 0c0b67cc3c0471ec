import { expect, test } from 'vitest'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { countHit } from '../platform/rate-limit.repository.ts'
import { createAccount, reserveUsername } from './account/account.repository.ts'
import { saveOneTimeToken } from './auth/one-time-token.repository.ts'
import { saveRegistration } from './auth/registration.repository.ts'
import { createSession, findSession, isKnownBrowser, rememberBrowser } from './auth/session.repository.ts'
import { decideApproval, findApproval, insertApproval } from './console/approval.repository.ts'
import { reserveCheckout } from './membership/checkout.repository.ts'
import { housekeeping } from './housekeeping.ts'

const db = useTestDatabase()
const DAY_MS = 86_400_000

/** Housekeeping so many days from now. */
function tidy(days: number): Promise<void> {
  return housekeeping(db(), { now: () => NOW + days * DAY_MS, close() {} }).run()
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
    db().selectFrom('pending_registration').select('id').execute(),
    db().selectFrom('one_time_token').select('id').execute(),
    db().selectFrom('login_name').select('name_key').execute(),
  ])
  return [registrations.length, tokens.length, names.length]
}

test('a registration nobody finished is forgotten a week after its end, with its link, its name and its address', async () => {
  await register('never-came-back')
  await tidy(7)
  expect(await counts()).toEqual([1, 1, 1])
  await tidy(8.01)
  expect(await counts()).toEqual([0, 0, 0])
})

async function order(personId: string): Promise<void> {
  await reserveCheckout(
    db(),
    {
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
    },
    NOW,
  )
}

const orders = async () => (await db().selectFrom('checkout').select('id').execute()).length

test('one that a payment may still come for is kept', async () => {
  await register('paying')
  await order('paying')
  await tidy(60)
  expect((await counts())[0]).toBe(1)
})

test.each(['expired', 'failed'] as const)(
  'an order that %s is forgotten after 90 days, like those of sponsors and guests',
  async (state) => {
    await order('c')
    await db().updateTable('checkout').set({ state, open_key: null }).execute()
    await tidy(90)
    expect(await orders()).toBe(1)
    await tidy(90.01)
    expect(await orders()).toBe(0)
  },
)

test.each(['creating', 'open', 'completed', 'refunded'] as const)('an order that is %s is kept', async (state) => {
  await order('c')
  await db().updateTable('checkout').set({ state }).execute()
  await tidy(4_000)
  expect(await orders()).toBe(1)
})

test('the names of accounts stay', async () => {
  await openAccount()
  await tidy(4_000)
  expect((await counts())[2]).toBe(2)
})

test('ended counts go at once, sessions 30 days after they began', async () => {
  await openAccount()
  await createSession(db(), { id: 's', accountId: 'a', browser: 'Firefox', now: NOW })
  await countHit(db(), 'key', 1_000, NOW)
  await tidy(29)
  expect(await db().selectFrom('rate_limit').select('key').execute()).toEqual([])
  expect(await findSession(db(), 's')).not.toBeNull()
  await tidy(30.01)
  expect(await findSession(db(), 's')).toBeNull()
})

test('a browser is known for a year after its last log-in, as long as its cookie', async () => {
  await openAccount()
  await rememberBrowser(db(), { browserHash: 'h', accountId: 'a', now: NOW })
  await tidy(365)
  expect(await isKnownBrowser(db(), 'h', 'a')).toBe(true)
  await tidy(366)
  expect(await isKnownBrowser(db(), 'h', 'a')).toBe(false)
})

test('a request for a second officer is forgotten a year after it was decided, never while it waits', async () => {
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
  await tidy(364)
  expect(await findApproval(db(), 'decided')).toMatchObject({ state: 'declined', note: 'no' })
  await tidy(366)
  expect(await findApproval(db(), 'decided')).toBeNull()
  expect(await findApproval(db(), 'waits')).toMatchObject({ state: 'waiting' })
})

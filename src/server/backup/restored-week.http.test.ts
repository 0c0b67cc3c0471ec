import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { membershipLife, type Member } from '#tests/support/membership-life.ts'
import { DAY_MS } from '#tests/support/people.ts'
import { createTestApp, startTestStandins, type TestApp } from '#tests/support/test-app.ts'
import { openTestDatabase, testEngine } from '#tests/support/test-database.ts'
import type { Standins } from '#standins/standins.ts'
import { readConfig } from '../config/config.ts'
import { openDatabase } from '../db/open-database.ts'
import { listBackups } from './backup-folder.ts'
import { restoreBackup } from './restore-backup.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const isSqlite = testEngine === 'sqlite'
let folder = ''
let standins: Standins
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'association-week-'))
  standins = await startTestStandins(folder)
})
afterEach(async () => {
  await standins.close()
  rmSync(folder, { recursive: true, force: true })
})

const fileAddress = (name: string) => `sqlite:${join(folder, name)}`
const openDatabaseOrFile = async (name: string) =>
  isSqlite ? openDatabase(fileAddress(name), quiet) : openTestDatabase()

/** Buckets with this name prefix. */
function storage(name: string) {
  return {
    S3_ENDPOINT: `${standins.url}/s3`,
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'key',
    S3_BUCKET_HOME: `${name}-home`,
    S3_BUCKET_CLINIC: `${name}-clinic`,
    S3_BUCKET_EXEC: `${name}-exec`,
  }
}

async function startApp(name: string, aheadMs = 0): Promise<TestApp> {
  const database = await openDatabaseOrFile(name)
  const environment = {
    ...(isSqlite && { DATABASE_URL: fileAddress(name) }),
    BACKUP_DIR: join(folder, 'backups'),
    ...storage('old'),
  }
  return createTestApp({ database, standins, aheadMs, environment })
}

type Subscription = Awaited<ReturnType<ReturnType<typeof membershipLife>['subscriptionOf']>>

/** Equal up to a second: the refund and the end of its subscription both count as the end. */
function toSimilar(subscription: Subscription | undefined): object {
  if (!subscription?.cancelDate) return { ...subscription }
  const near = (text: string) => Math.abs(Date.parse(text) - Date.parse(subscription.cancelDate ?? '')) <= 5_000
  return { ...subscription, cancelDate: expect.toSatisfy(near) as string }
}

async function refund(paymentIntent: string): Promise<void> {
  const response = await fetch(`${standins.url}/v1/refunds`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_standin', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ payment_intent: paymentIntent }),
  })
  expect(response.status).toBe(200)
}

test('after the restore of last week’s backup everything Stripe knows is repaired or reported', async () => {
  await fetch(`${standins.url}/s3/old-home/gallery/lamp.jpg`, { method: 'PUT', body: 'a picture' })
  const week = { before: new Map<string, Subscription>(), lost: [] as Member[], waiting: '' }
  let members: Record<'renews' | 'cancels' | 'refunded' | 'life' | 'stays', Member>
  {
    writeFileSync(join(folder, 'backups'), 'in the way')
    await using app = await startApp('old.db')
    const { join: joins, inPortal, subscriptionOf, subjectsTo, rowsOf, pass } = membershipLife(() => app)
    members = {
      renews: await joins(),
      cancels: await joins(),
      refunded: await joins(),
      life: await joins({ levelKey: 'life_member' }),
      stays: await joins(),
    }
    await pass(360)
    const { person, start } = await app.browser().registerAndStart()
    week.waiting = person.email

    // Every scheduled backup failed so far.
    expect(subjectsTo('office@example.org')).toEqual(
      expect.arrayContaining(['Website alert: The backup failed', 'Website alert: Backups are overdue']),
    )
    rmSync(join(folder, 'backups'))
    await app.advance(15 * 60_000)
    await app.drain()
    const readiness = (await app.browser().get('/readyz')).body as { lastBackupAt: string }
    expect(app.now() - Date.parse(readiness.lastBackupAt)).toBeLessThan(60_000)

    // During the week: one member is about to pay, one renews, one cancels, one is refunded, and two join, one of whom is refunded too.
    await app.browser().pay(start.body.sessionUrl as string)
    await inPortal(members.cancels, 'cancel')
    await pass(7)
    for (const levelKey of ['annual_member', 'life_member', 'annual_member']) week.lost.push(await joins({ levelKey }))
    const returned = (await rowsOf(week.lost[2]!)).payments[0]!.paymentIntentId ?? ''
    await refund(returned)
    await refund((await rowsOf(members.refunded)).payments.at(-1)!.paymentIntentId ?? '')
    await app.drain()
    for (const [name, member] of Object.entries(members)) week.before.set(name, await subscriptionOf(member))
    week.before.set('waiting', await subscriptionOf({ email: week.waiting }))
  }

  const aheadMs = 367 * DAY_MS + 15 * 60_000
  const into = isSqlite ? null : await openDatabaseOrFile('new.db')
  // The later ones were lost with the machine.
  const first = (await listBackups(join(folder, 'backups'))).at(-1)!
  const config = readConfig({
    DATA_DIR: join(folder, 'fresh'),
    STANDINS_URL: standins.url,
    ...storage('new'),
    DATABASE_URL: isSqlite ? fileAddress('new.db') : 'postgres://given.by.the.test/x',
  })
  const clock = { now: () => Date.now() + aheadMs, close() {} }
  const restored = await restoreBackup({
    config,
    path: first.path,
    replace: false,
    clock,
    say() {},
    openTarget: () => ({ ...into!, close: async () => {} }),
  })
  expect(restored.media).toEqual({ added: 1, present: 0 })
  const picture = await fetch(`${standins.url}/s3/new-home/gallery/lamp.jpg`)
  expect([picture.headers.get('content-type'), await picture.text()]).toEqual(['image/jpeg', 'a picture'])
  await using app = isSqlite
    ? await startApp('new.db', aheadMs)
    : await createTestApp({ database: into!, standins, aheadMs })
  const { subscriptionOf, subjectsTo, emailTo } = membershipLife(() => app)
  expect(await subscriptionOf(members.cancels)).not.toEqual(week.before.get('cancels'))
  const { repaired, unknown } = await app.app.services.reconciler.runAll()
  await app.drain()
  expect(unknown).toBe(2)
  expect(repaired).toBeGreaterThanOrEqual(4)
  for (const [name, member] of Object.entries(members))
    expect([name, await subscriptionOf(member)]).toEqual([name, toSimilar(week.before.get(name))])
  expect((await subscriptionOf({ email: week.waiting })).status).toBe('ACTIVE')
  expect(subjectsTo('office@example.org')).toContain('Website alert: Differences with Stripe were corrected')
  const alarm = emailTo('office@example.org', /Stripe has payments that are not in the database/)
  const paid = standins.stripe.account.sessions
    .all()
    .filter(({ customer_details: details }) => week.lost.some(({ email }) => email === details?.email))
  expect(paid).toHaveLength(3)
  for (const { id, customer_details: details } of paid)
    expect([id, alarm.text.includes(id)]).toEqual([id, details?.email !== week.lost[2]!.email])
  expect(alarm.text).not.toContain('@example.com')
  // Reported once, but still counted.
  const alertSubjects = () => subjectsTo('office@example.org').filter((subject) => !subject.includes('webhooks'))
  const emailCount = alertSubjects().length
  await app.advance(DAY_MS)
  expect(await app.app.services.reconciler.runAll()).toEqual({ repaired: 0, unknown: 2 })
  await app.drain()
  expect(alertSubjects()).toHaveLength(emailCount)
}, 60_000)

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { dayOf } from '#contract/dates/dates.ts'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { createAccount, setStripeCustomer } from '#server/features/accounts/account.commands.ts'
import { recordConsent } from '#server/features/accounts/consent.commands.ts'
import { hashPassword } from '#server/features/auth/password-hash.service.ts'
import { addTerm } from '#server/features/officers/officer.commands.ts'
import { firstTerm } from '#server/features/officers/officer.rules.ts'
import { findLevel } from '#server/features/levels/level.queries.ts'
import { insertCurrentMembership } from '#server/features/memberships/membership.commands.ts'
import { addInterval } from '#server/features/memberships/membership.rules.ts'
import { markReceiptSent, recordPayment } from '#server/features/memberships/payments/payment.commands.ts'
import { receiptNumber } from '#server/features/orders/receipt-number.rules.ts'
import { seedNewsletter } from './newsletter.samples.ts'
import { seedRsvps } from '#server/features/rsvps/sample-rsvps.service.ts'
import type { SampleFiles } from './samples.schema.ts'
import { seedMessage, seedSponsorship } from './sample-visitors.service.ts'
import { SINGLE_RECORD_ID } from '#server/features/content-store/content-kind.rules.ts'
import { contentKinds } from '#server/features/content-store/content-kinds.registry.ts'
import {
  addMissingFields,
  incrementContentVersion,
  lockContent,
  replaceRecords,
  saveShippedHash,
} from '#server/features/content-store/content.commands.ts'
import { isContentEmpty, readRecords, readShippedHash } from '#server/features/content-store/content.queries.ts'
import { settingsOf } from '#server/features/content-store/kinds/settings.kinds.ts'
import { tierKind } from '#server/features/content-store/kinds/support.kinds.ts'
import { pageKind } from '#server/features/content-store/kinds/text.kinds.ts'
import { replaceLevels } from '#server/features/levels/level.commands.ts'
import type { KindRecords } from './content-format.registry.ts'
import { writeKinds } from './content-transfer.service.ts'

export const CONTENT_DIRECTORY = join(import.meta.dirname, '../../../../content')

/** The card provider's subscription of a sample member who renews. */
export interface SampleSubscription {
  subscriptionId: string
  customerId: string
  periodEndsAt: number
  /** Its first invoice. */
  invoiceId: string | null
}

export type MakeSampleSubscription = (member: {
  email: string
  name: string
  levelKey: string
}) => Promise<SampleSubscription | null>

/**
 * Seeds an empty database from `content/`, and with sample data if `samples` is given. A database with content only gets what a newer release adds.
 * Safe if several instances start at once. Returns true if it seeded the database.
 */
export async function seedEmptyDatabase(
  db: Kysely<Schema>,
  {
    now,
    timeZone,
    samples,
  }: { now: number; timeZone: string; samples: { makeSubscription: MakeSampleSubscription } | null },
): Promise<boolean> {
  if (!(await isContentEmpty(db))) {
    await addMissingContent(db, now)
    return false
  }
  const { readContentFiles, readSampleFiles, readSampleRecords } = await loadContentFiles()
  const files = readContentFiles(CONTENT_DIRECTORY)
  const seeded = await db.transaction().execute(async (tx) => {
    await lockContent(tx)
    if (!(await isContentEmpty(tx))) return false
    await replaceLevels(tx, files.levels, () => newId(now))
    await writeKinds(tx, files.kinds, now)
    await writeKinds(tx, samples ? readSampleRecords(CONTENT_DIRECTORY, dayOf(now, timeZone)) : emptyLists(), now)
    if (samples) await seedNewsletter(tx, readSampleFiles(CONTENT_DIRECTORY).newsletter, now)
    await incrementContentVersion(tx)
    return true
  })
  if (!seeded) return false
  if (samples) {
    await seedSamples(db, { now, timeZone }, samples.makeSubscription)
    await seedVisitors(db, { now, timeZone })
  }
  return true
}

/** The lists of which the repository has samples only: officers add to them. */
function emptyLists(): KindRecords[] {
  return contentKinds.flatMap((kind) => {
    const { isSample, list } = kind.file
    return isSample && list ? [{ kind, records: [{ id: SINGLE_RECORD_ID, value: { [list]: [] } }] }] : []
  })
}

/** Adds settings, pages and tiers that are new in this release. Existing content is unchanged. */
async function addMissingContent(db: Kysely<Schema>, now: number): Promise<void> {
  const shipped = hashFiles(CONTENT_DIRECTORY)
  if ((await readShippedHash(db)) === shipped) return
  const { readContentFiles } = await loadContentFiles()
  const files = readContentFiles(CONTENT_DIRECTORY)
  await db.transaction().execute(async (tx) => {
    await lockContent(tx)
    await saveShippedHash(tx, shipped)
    let isChanged = false
    for (const { kind, records } of files.kinds.filter((one) => one.kind.file.part !== undefined))
      for (const { value } of records) if (await addMissingFields(tx, kind, value as object, { now })) isChanged = true
    const stored = await readRecords(tx, [pageKind, tierKind])
    const known = new Set(stored.list(pageKind).map(({ id }) => id))
    const pages = files.records.list(pageKind).filter(({ id }) => !known.has(id))
    const tiers = stored.single(tierKind)?.tiers.length ? [] : files.records.list(tierKind)
    await replaceRecords(tx, pageKind, pages, { now, keepsOthers: true })
    await replaceRecords(tx, tierKind, tiers, { now, keepsOthers: true })
    if (isChanged || pages.length > 0 || tiers.length > 0) await incrementContentVersion(tx)
  })
}

/** Loaded only when needed: most starts have nothing to seed. */
function loadContentFiles() {
  return import('./content-files.service.ts')
}

/** Hashes the names and contents of all files in a folder. */
function hashFiles(folder: string): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const file = join(folder, name)
    if (statSync(file).isFile()) hash.update(`${name}\0`).update(readFileSync(file)).update('\0')
  }
  return hash.digest('base64url')
}

async function seedVisitors(db: Kysely<Schema>, { now, timeZone }: { now: number; timeZone: string }): Promise<void> {
  const { readContentFiles, readSampleFiles } = await loadContentFiles()
  const { sponsorships, messages, rsvps } = readSampleFiles(CONTENT_DIRECTORY)
  const { records } = readContentFiles(CONTENT_DIRECTORY)
  const tiers = records.single(tierKind)?.tiers ?? []
  const { logoMonths } = settingsOf(records).settings.sponsorship
  await db.transaction().execute(async (tx) => {
    for (const sample of sponsorships) await seedSponsorship(tx, { sample, tiers, logoMonths, timeZone, now })
    for (const sample of messages) await seedMessage(tx, sample, now)
    await seedRsvps(tx, rsvps, now)
  })
}

async function seedSamples(
  db: Kysely<Schema>,
  { now, timeZone }: { now: number; timeZone: string },
  makeSubscription: MakeSampleSubscription,
): Promise<void> {
  const { readSampleFiles } = await loadContentFiles()
  const { accounts, password } = readSampleFiles(CONTENT_DIRECTORY).accounts
  const passwordHash = await hashPassword(password)
  for (const sample of accounts) {
    const subscription = sample.membership.renews
      ? await makeSubscription({
          email: sample.email,
          name: `${sample.firstName} ${sample.lastName}`,
          levelKey: sample.membership.level,
        })
      : null
    await db.transaction().execute((tx) => seedAccount(tx, { sample, passwordHash, subscription, now, timeZone }))
  }
}

async function seedAccount(
  tx: Tx,
  {
    sample,
    passwordHash,
    subscription,
    now,
    timeZone,
  }: {
    sample: SampleFiles['accounts']['accounts'][number]
    passwordHash: string
    subscription: SampleSubscription | null
    now: number
    timeZone: string
  },
): Promise<void> {
  const ago = (months: number) => addInterval(now, 'month', -months)
  const joinedAt = ago(sample.joinedMonthsAgo)
  const account = await createAccount(tx, { ...sample, id: newId(joinedAt), passwordHash, createdAt: joinedAt }, now)
  const level = await findLevel(tx, sample.membership.level)
  // Another instance created it first.
  if (!account || !level) return
  if (sample.isOfficer) {
    const term = { id: newId(now), accountId: account.id, role: 'president', ...firstTerm(now, timeZone) } as const
    await addTerm(tx, { ...term, givenBy: 'webmaster' }, now)
  }
  await recordConsent(tx, { personId: account.id, kind: 'terms', version: '2026-11-01', givenAt: joinedAt }, now)
  const { paidMonthsAgo = [], startedMonthsAgo } = sample.membership
  const termStart = ago(paidMonthsAgo.at(-1) ?? startedMonthsAgo ?? 0)
  for (const months of paidMonthsAgo) {
    const id = newId(ago(months))
    await recordPayment(
      tx,
      {
        id,
        accountId: account.id,
        checkoutId: null,
        // The last payment has the invoice of its subscription, so that webhook events about it are no-ops.
        reference: (months === paidMonthsAgo.at(-1) && subscription?.invoiceId) || `sample:${id}`,
        paymentIntentId: null,
        purpose: months === paidMonthsAgo[0] ? 'start' : 'renewal',
        periodEndsAt: level.interval ? addInterval(ago(months), level.interval, level.intervalCount ?? 1) : null,
        levelKey: level.key,
        amount: level.unitAmount,
        currency: level.currency,
        receiptNumber: receiptNumber(id, ago(months), (instant) => String(new Date(instant).getUTCFullYear())),
        paidAt: ago(months),
      },
      ago(months),
    )
    await markReceiptSent(tx, id, ago(months))
  }
  await insertCurrentMembership(
    tx,
    {
      id: newId(now),
      accountId: account.id,
      levelKey: level.key,
      kind: level.isRecurring ? 'RECURRING' : 'ONE_TIME',
      startedAt: ago(paidMonthsAgo[0] ?? startedMonthsAgo ?? 0),
      endsAt:
        subscription?.periodEndsAt ??
        (level.interval ? addInterval(termStart, level.interval, level.intervalCount ?? 1) : null),
      stripeSubscriptionId: subscription?.subscriptionId ?? null,
      stripeStatus: subscription ? 'active' : null,
      cancelAtPeriodEnd: false,
      pastDueSince: null,
      nextAttemptAt: null,
      gaveUpAt: null,
      endedAt: null,
    },
    now,
  )
  if (subscription) await setStripeCustomer(tx, account.id, subscription.customerId, now)
}

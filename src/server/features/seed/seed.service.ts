import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { dayOf } from '#contract/dates.ts'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { newId } from '#server/platform/ids.ts'
import { createAccount, setStripeCustomer } from '../account/account.repository.ts'
import { recordConsent } from '../account/consent.repository.ts'
import { hashPassword } from '../auth/passwords.ts'
import { addTerm } from '../console/officer.repository.ts'
import { firstTerm } from '../console/officer.rules.ts'
import { findLevel } from '../membership/level.repository.ts'
import { insertCurrentMembership } from '../membership/membership.repository.ts'
import { addInterval } from '../membership/membership.rules.ts'
import { markReceiptSent, receiptNumber, recordPayment } from '../membership/payment.repository.ts'
import { seedNewsletter } from '../newsletter/newsletter.samples.ts'
import type { SampleFiles } from './content-schemas.ts'
import { peopleKinds, wordKinds, type ContentKind, type ContentMoment } from './content-kinds.ts'
import { listTiers, replaceTiers } from '../sponsors/sponsor.repository.ts'
import { seedMessage, seedSponsorship } from './seed-visitors.ts'
import {
  addMissingSettings,
  holdContent,
  isContentEmpty,
  listPages,
  markShipped,
  raiseContentVersion,
  readShipped,
  replacePages,
} from './content.repository.ts'

export const CONTENT_DIRECTORY = join(import.meta.dirname, '../../../../content')

/** A subscription at the card provider for a sample member who renews. */
export interface SampleSubscription {
  subscriptionId: string
  customerId: string
  periodEndsAt: number
  /** What it charged first. */
  invoiceId: string | null
}

export type MakeSampleSubscription = (member: {
  email: string
  name: string
  levelKey: string
}) => Promise<SampleSubscription | null>

/**
 * Fills an empty database from `content/`; with `samples` also with invented members. Does nothing when there is content already, also when two
 * instances start at once. True when it filled.
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
    await addWhatIsNew(db)
    return false
  }
  const { readContentFiles, readSampleFiles } = await loadContentFiles()
  const files = readContentFiles(CONTENT_DIRECTORY)
  const filled = await db.transaction().execute(async (tx) => {
    await holdContent(tx)
    if (!(await isContentEmpty(tx))) return false
    const moment = { today: dayOf(now, timeZone), newId: () => newId(now) }
    await fill(tx, wordKinds, files, moment)
    await replacePages(tx, files.pages)
    if (samples) {
      const people = readSampleFiles(CONTENT_DIRECTORY)
      await fill(tx, peopleKinds, people, moment)
      await seedNewsletter(tx, people.newsletter, now)
    }
    await raiseContentVersion(tx)
    return true
  })
  if (!filled) return false
  if (samples) {
    await seedSamples(db, { now, timeZone }, samples.makeSubscription)
    await seedVisitors(db, { now, timeZone })
  }
  return true
}

/** What a newer release brings and an older database lacks: settings, pages and tiers that were never there. Nothing that is there changes. */
async function addWhatIsNew(db: Kysely<Schema>): Promise<void> {
  const shipped = hashFiles(CONTENT_DIRECTORY)
  if ((await readShipped(db)) === shipped) return
  const { readContentFiles } = await loadContentFiles()
  const files = readContentFiles(CONTENT_DIRECTORY)
  await db.transaction().execute(async (tx) => {
    await markShipped(tx, shipped)
    const hasSettings = await addMissingSettings(tx, files.settings)
    const known = new Set((await listPages(tx)).map(({ slug }) => slug))
    const pages = files.pages.filter(({ slug }) => !known.has(slug))
    const tiers = (await listTiers(tx)).length === 0 ? files.tiers : []
    if (!hasSettings && pages.length === 0 && tiers.length === 0) return
    await replacePages(tx, pages)
    if (tiers.length > 0) await replaceTiers(tx, tiers)
    await raiseContentVersion(tx)
  })
}

/** When there is something to fill or to add: on most starts there is not, and what reads the files is not loaded. */
function loadContentFiles() {
  return import('./content-files.ts')
}

/** Names and contents of all files in a folder. */
function hashFiles(folder: string): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const file = join(folder, name)
    if (statSync(file).isFile()) hash.update(`${name}\0`).update(readFileSync(file)).update('\0')
  }
  return hash.digest('base64url')
}

/** Each kind takes the value of its own name. */
async function fill(tx: Tx, kinds: object, values: object, moment: ContentMoment): Promise<void> {
  for (const [name, kind] of Object.entries(kinds) as [string, ContentKind][]) {
    await kind.replace(tx, Reflect.get(values, name), moment)
  }
}

/** What visitors left, members or not. */
async function seedVisitors(db: Kysely<Schema>, { now, timeZone }: { now: number; timeZone: string }): Promise<void> {
  const { readContentFiles, readSampleFiles } = await loadContentFiles()
  const { sponsorships, messages } = readSampleFiles(CONTENT_DIRECTORY)
  const { tiers, settings } = readContentFiles(CONTENT_DIRECTORY)
  const { logoMonths } = settings.sponsorship
  await db.transaction().execute(async (tx) => {
    for (const sample of sponsorships) await seedSponsorship(tx, { sample, tiers, logoMonths, timeZone, now })
    for (const sample of messages) await seedMessage(tx, sample, now)
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
  // Another instance was first.
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
        // The last one is what its subscription charged: no notice about that is news.
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

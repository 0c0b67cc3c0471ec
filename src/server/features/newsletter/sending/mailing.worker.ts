import type { AppContext } from '#server/app-context.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Association } from '#contract/public/association.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { BulkEmail, BulkMailer, DeliveryResult } from '#server/emails/bulk-mailer.ts'
import type { Email } from '#server/emails/email.ts'
import { secretLink } from '#server/emails/secret-link.ts'
import { PRIORITIES } from '#server/jobs/effect-priorities.ts'
import { sendMailingFinished } from './mailing.emails.ts'
import { addToOutbox, isEmailDue } from '#server/jobs/outbox.repository.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import { addressHash } from '#server/lib/address-hash.ts'
import type { BouncesService } from '../subscribers/bounces.service.ts'
import { campaignEmail, UNSUBSCRIBE_PLACEHOLDER } from '../campaign.emails.ts'
import { findCampaign } from '../campaign.queries.ts'
import {
  claimDeliveries,
  markAbandonedUncertain,
  nextDue,
  saveDeliveryOutcomes,
  countDeliveries,
  type ClaimedDelivery,
  type DeliveryOutcome,
} from './delivery.repository.ts'
import {
  finishMailing,
  resetFailures,
  listDueMailings,
  lockMailing,
  pauseMailing,
  postponeMailing,
  type Mailing,
} from './mailing.repository.ts'
import { judgeBatch, deliveryOutcome, serverBackoffMs, type BatchResult } from './mailing.rules.ts'
import { ONE_CLICK_PATH } from '../subscribers/one-click.routes.ts'
import { listSuppressed } from '../subscribers/subscriber.queries.ts'
import { createUnsubscribeToken } from '../subscribers/subscription-token.service.ts'

const POLL_MS = 1_000
/** Longer than any batch can take, including all mail server timeouts. */
const LEASE_MS = 5 * 60_000
/** The longest that a batch waits for transactional emails. */
const MAX_YIELD_MS = 2_000
const YIELD_STEP_MS = 100
/** Alert the officers after this many consecutive failures of the mail server. */
const ALERT_AFTER_FAILURES = 6

/**
 * Sends mailings. Several processes may each run a worker: each claims its own batches, and the copies of a crashed process become `uncertain`.
 * A batch has one copy per connection, so at most that many are in flight.
 */
export function startMailingWorker(
  { db, clock, log, secrets, alerts, siteUrl, association }: AppContext,
  {
    mailer,
    connections,
    bounces,
    polling,
  }: {
    mailer: BulkMailer
    connections: number
    bounces: Pick<BouncesService, 'record'>
    polling: boolean
  },
) {
  let stopped = false
  let running: Promise<void> | null = null

  async function sendAll(mailing: Mailing): Promise<void> {
    const { campaignId } = mailing
    const campaign = await findCampaign(db, campaignId)
    if (!campaign) return
    const sender = await association()
    const email = campaignEmail(campaign, siteUrl, sender)
    await yieldToTransactionalEmail()
    let claimed = await claim(mailing)
    while (claimed.length > 0) {
      const { outcomes, meaning } = await sendBatch(mailing, claimed, (delivery) =>
        personalizeEmail(email, delivery, { siteUrl, association: sender, secrets }),
      )
      if (meaning.kind !== 'going-on' || stopped) {
        const batch = claimed
        await db.transaction().execute((tx) => recordOutcomes(tx, mailing, batch, outcomes))
        return handleBatchResult(mailing, meaning)
      }
      if (await isTransactionalEmailDue()) {
        const batch = claimed
        await db.transaction().execute((tx) => recordOutcomes(tx, mailing, batch, outcomes))
        await yieldToTransactionalEmail()
        claimed = await claim(mailing)
      } else claimed = await claim(mailing, claimed, outcomes)
    }
    await finishIfDone(mailing)
  }

  /** A mail server may limit how many emails it accepts at once: transactional emails go before newsletters. */
  async function isTransactionalEmailDue(): Promise<boolean> {
    // Without polling, no worker sends them in the meantime.
    return polling && !stopped && (await isEmailDue(db, PRIORITIES.personal, clock.now()))
  }

  async function yieldToTransactionalEmail(): Promise<void> {
    const until = performance.now() + MAX_YIELD_MS
    while (performance.now() < until && (await isTransactionalEmailDue())) await sleep(YIELD_STEP_MS)
  }

  /** Records the results of the last batch and claims the next, in one transaction. */
  async function claim(
    mailing: Mailing,
    sent: readonly ClaimedDelivery[] = [],
    outcomes: readonly DeliveryOutcome[] = [],
  ): Promise<ClaimedDelivery[]> {
    return db.transaction().execute(async (tx) => {
      await recordOutcomes(tx, mailing, sent, outcomes)
      const { campaignId } = mailing
      return claimDeliveries(tx, { campaignId, limit: connections, leaseMs: LEASE_MS, now: clock.now() })
    })
  }

  async function recordOutcomes(
    tx: Kysely<Schema>,
    mailing: Mailing,
    sent: readonly ClaimedDelivery[],
    outcomes: readonly DeliveryOutcome[],
  ): Promise<void> {
    if (mailing.failuresInARow > 0 && outcomes.some(({ state }) => state === 'accepted')) {
      await resetFailures(tx, mailing.campaignId)
      mailing.failuresInARow = 0
    }
    await saveDeliveryOutcomes(tx, outcomes, clock.now())
    for (const { id, state } of outcomes) {
      const delivery = sent.find((one) => one.id === id)
      if (state === 'bounced' && delivery) await bounces.record(tx, delivery.subscriberId, 'hard')
    }
  }

  async function sendBatch(
    { startedAt }: Mailing,
    claimed: readonly ClaimedDelivery[],
    address: (delivery: ClaimedDelivery) => BulkEmail,
  ): Promise<{ outcomes: DeliveryOutcome[]; meaning: BatchResult }> {
    const hashes = claimed.map(({ email }) => addressHash(secrets, email))
    const suppressed = await listSuppressed(db, hashes)
    const mayBeSent = (delivery: ClaimedDelivery, index: number) =>
      delivery.isSubscribed && !suppressed.has(hashes[index] ?? '')
    const wanted = claimed.filter(mayBeSent)
    const verdicts: DeliveryResult[] = await mailer.send(wanted.map(address))
    const meaning = judgeBatch(verdicts)
    const now = clock.now()
    const outcomes = verdicts.map((verdict, index) =>
      deliveryOutcome(wanted[index] as ClaimedDelivery, verdict, { meaning, startedAt, now }),
    )
    const skipped = claimed
      .filter((delivery, index) => !mayBeSent(delivery, index))
      .map(({ id }): DeliveryOutcome => ({ id, state: 'skipped', reason: 'unsubscribed before it was sent' }))
    return { outcomes: [...outcomes, ...skipped], meaning }
  }

  async function handleBatchResult({ campaignId, failuresInARow }: Mailing, meaning: BatchResult): Promise<void> {
    if (meaning.kind === 'going-on') return
    log.warn({ campaign: campaignId, reason: meaning.reason }, 'newsletter sending delayed')
    if (meaning.kind === 'stop') {
      await pauseMailing(db, campaignId, meaning.reason)
      await alerts.raise('mailing-refused', { campaign: campaignId, reason: meaning.reason })
      return
    }
    const resumeAt = clock.now() + serverBackoffMs(failuresInARow)
    await postponeMailing(db, { campaignId, resumeAt, reason: meaning.reason })
    if (failuresInARow + 1 === ALERT_AFTER_FAILURES)
      await alerts.raise('mailing-waits', { campaign: campaignId, reason: meaning.reason })
  }

  async function finishIfDone({ campaignId }: Mailing): Promise<void> {
    if ((await nextDue(db, campaignId)) !== null) return
    if ((await countDeliveries(db, campaignId)).sending > 0) return
    await db.transaction().execute(async (tx) => {
      const now = clock.now()
      // An officer may be requeuing copies at the same time.
      await lockMailing(tx, campaignId)
      if (!(await finishMailing(tx, campaignId, now))) return
      await addToOutbox(tx, { effect: sendMailingFinished, payload: { campaignId } }, now)
    })
  }

  async function runDue(): Promise<void> {
    const abandoned = await markAbandonedUncertain(db, clock.now())
    if (abandoned > 0) log.warn({ abandoned }, 'newsletter copies may or may not have been sent')
    for (const mailing of await listDueMailings(db, clock.now())) {
      if (stopped) return
      await sendAll(mailing)
    }
  }

  function runOnce(): Promise<void> {
    running ??= runDue()
      .catch((error: unknown) =>
        log.warn({ reason: String((error as Error).message).slice(0, 200) }, 'sending newsletters failed'),
      )
      .finally(() => {
        running = null
      })
    return running
  }

  const timer = polling ? setInterval(() => void runOnce(), POLL_MS) : null
  timer?.unref()
  return {
    /** Sends everything that is due, then resolves; for tests and commands. */
    drain: runOnce,
    /** Stops after the current batch. */
    async stop(): Promise<void> {
      if (timer) clearInterval(timer)
      stopped = true
      await running
      mailer.close()
    },
  }
}

export type MailingWorker = ReturnType<typeof startMailingWorker>

/** Adds the recipient's unsubscribe link and the List-Unsubscribe headers (RFC 2369, RFC 8058). */
export function personalizeEmail(
  content: Email,
  { id, subscriberId, email }: { id: string; subscriberId: string; email: string },
  { siteUrl, association, secrets }: { siteUrl: string; association: Association; secrets: Secrets },
): BulkEmail {
  const token = createUnsubscribeToken(secrets, subscriberId)
  const page = secretLink(siteUrl, '/newsletter/unsubscribe', { token })
  return {
    id,
    to: email,
    subject: content.subject,
    html: content.html.replaceAll(UNSUBSCRIBE_PLACEHOLDER, page),
    text: content.text.replaceAll(UNSUBSCRIBE_PLACEHOLDER, page),
    headers: {
      'List-Unsubscribe': `<${siteUrl}${ONE_CLICK_PATH}?${new URLSearchParams({ token })}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'List-Id': `${association.name.replaceAll(/[^\w .-]/g, '')} <newsletter.${new URL(siteUrl).hostname}>`,
      Precedence: 'bulk',
    },
  }
}

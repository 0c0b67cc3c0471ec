import type { AppContext } from '#server/app-context.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema/schema.ts'
import type { BulkEmail, BulkMailer, DeliveryResult } from '#server/emails/bulk-mailer.ts'
import { PRIORITIES } from '#server/jobs/effect-priorities.ts'
import { sendMailingFinished } from './mailing.emails.ts'
import { addToOutbox, isEmailDue } from '#server/jobs/outbox.repository.ts'
import { campaignEmail, withUnsubscribeUrl } from '../campaign.emails.ts'
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
} from './mailing.repository.ts'
import type { Mailing } from './mailing.queries.ts'
import { judgeBatch, deliveryOutcome, serverBackoffMs, type BatchResult } from './mailing.rules.ts'
import type { MailingList, MailingLists } from './mailing-lists.registry.ts'

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
  { db, clock, log, alerts, siteUrl, association }: AppContext,
  {
    mailer,
    connections,
    lists,
    polling,
  }: {
    mailer: BulkMailer
    connections: number
    lists: MailingLists
    polling: boolean
  },
) {
  let stopped = false
  let running: Promise<void> | null = null

  async function sendAll(mailing: Mailing): Promise<void> {
    const { campaignId } = mailing
    const campaign = await findCampaign(db, campaignId)
    if (!campaign) return
    const list = lists[campaign.recipients]
    const footer = await list.footer(db, campaign)
    const email = campaignEmail(campaign, { siteUrl, association: await association(), footer })
    const personalize = await list.personalize(db, campaign)
    await yieldToTransactionalEmail()
    let claimed = await claim(mailing, list)
    while (claimed.length > 0) {
      const { outcomes, meaning } = await sendBatch(mailing, list, claimed, ({ id, recipientId, email: to }) => {
        const { unsubscribeUrl, headers } = personalize(recipientId)
        return { ...withUnsubscribeUrl(email, unsubscribeUrl), id, to, headers }
      })
      if (meaning.kind !== 'going-on' || stopped) {
        const batch = claimed
        await db.transaction().execute((tx) => recordOutcomes(tx, mailing, list, { sent: batch, outcomes }))
        return handleBatchResult(mailing, meaning)
      }
      if (await isTransactionalEmailDue()) {
        const batch = claimed
        await db.transaction().execute((tx) => recordOutcomes(tx, mailing, list, { sent: batch, outcomes }))
        await yieldToTransactionalEmail()
        claimed = await claim(mailing, list)
      } else claimed = await claim(mailing, list, { sent: claimed, outcomes })
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
    list: MailingList,
    last: SentBatch = { sent: [], outcomes: [] },
  ): Promise<ClaimedDelivery[]> {
    return db.transaction().execute(async (tx) => {
      await recordOutcomes(tx, mailing, list, last)
      const { campaignId } = mailing
      return claimDeliveries(tx, { campaignId, limit: connections, leaseMs: LEASE_MS, now: clock.now() })
    })
  }

  async function recordOutcomes(
    tx: Kysely<Schema>,
    mailing: Mailing,
    list: MailingList,
    { sent, outcomes }: SentBatch,
  ): Promise<void> {
    if (mailing.failuresInARow > 0 && outcomes.some(({ state }) => state === 'accepted')) {
      await resetFailures(tx, mailing.campaignId)
      mailing.failuresInARow = 0
    }
    await saveDeliveryOutcomes(tx, outcomes, clock.now())
    for (const { id, state } of outcomes) {
      const delivery = sent.find((one) => one.id === id)
      if (state === 'bounced' && delivery) await list.recordBounce(tx, delivery.recipientId, 'hard')
    }
  }

  async function sendBatch(
    { campaignId, startedAt }: Mailing,
    list: MailingList,
    claimed: readonly ClaimedDelivery[],
    address: (delivery: ClaimedDelivery) => BulkEmail,
  ): Promise<{ outcomes: DeliveryOutcome[]; meaning: BatchResult }> {
    const allowed = await list.listAllowed(db, campaignId, claimed)
    const wanted = claimed.filter(({ id }) => allowed.has(id))
    const verdicts: DeliveryResult[] = await mailer.send(wanted.map(address))
    const meaning = judgeBatch(verdicts)
    const now = clock.now()
    const outcomes = verdicts.map((verdict, index) =>
      deliveryOutcome(wanted[index] as ClaimedDelivery, verdict, { meaning, startedAt, now }),
    )
    const skipped = claimed
      .filter(({ id }) => !allowed.has(id))
      .map(({ id }): DeliveryOutcome => ({ id, state: 'skipped', reason: list.skippedReason }))
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

interface SentBatch {
  sent: readonly ClaimedDelivery[]
  outcomes: readonly DeliveryOutcome[]
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import type { Schema } from '#server/db/schema.ts'
import type { BulkLetter, BulkMailer, Verdict } from '#server/mail/bulk-mailer.ts'
import type { Letter } from '#server/mail/letter.ts'
import { secretLink } from '#server/mail/secret-link.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/logger.ts'
import { PRIORITIES } from '#server/platform/effect-priorities.ts'
import { addToOutbox, isEmailDue } from '#server/platform/outbox.repository.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { addressHash } from './address-hash.ts'
import type { BouncesService } from './bounces.service.ts'
import { campaignLetter, LEAVE_LINK } from './campaign.emails.ts'
import { findCampaign } from './campaign.repository.ts'
import {
  claimDeliveries,
  markAbandoned,
  nextDue,
  settleDeliveries,
  countDeliveries,
  type ClaimedDelivery,
  type DeliveryOutcome,
} from './delivery.repository.ts'
import {
  finishMailing,
  forgetFailures,
  listDueMailings,
  lockMailing,
  pauseMailing,
  postponeMailing,
  type Mailing,
} from './mailing.repository.ts'
import { meaningOf, outcomeOf, serverDelayMs, type BatchMeaning } from './mailing.rules.ts'
import { ONE_CLICK_PATH } from './one-click.routes.ts'
import { listSuppressed } from './subscriber.repository.ts'
import { writeLeaveToken } from './subscription-link.ts'

export interface MailingWorker {
  /** Sends whatever is due and resolves when nothing is left; for tests and commands. */
  drain(): Promise<void>
  /** Finishes the batch in hand. */
  stop(): Promise<void>
}

const POLL_MS = 1_000
/** Longer than a batch can take, with every time-out of the mail server. */
const LEASE_MS = 5 * 60_000
/** A batch waits so long at most for emails to single people, however many of them keep coming. */
const MOST_PATIENCE_MS = 2_000
const PATIENCE_STEP_MS = 100
/** The officers hear of a mail server that failed so often in a row. */
const ALARM_AFTER = 6

/**
 * Sends mailings. Several processes may each have one: a batch belongs to whoever claimed it, and what a dead process had in hand becomes `uncertain`.
 * Each batch is as large as there are connections, so never more than one copy a connection is in flight.
 */
export function startMailingWorker({
  db,
  clock,
  log,
  secrets,
  alarms,
  mailer,
  connections,
  bounces,
  siteUrl,
  association,
  polling,
}: {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  secrets: Secrets
  alarms: Alarms
  mailer: BulkMailer
  connections: number
  bounces: Pick<BouncesService, 'record'>
  siteUrl: string
  association(): Promise<Association>
  polling: boolean
}): MailingWorker {
  let stopped = false
  let running: Promise<void> | null = null

  async function sendAll(mailing: Mailing): Promise<void> {
    const { campaignId } = mailing
    const campaign = await findCampaign(db, campaignId)
    if (!campaign) return
    const sender = await association()
    const letter = campaignLetter(campaign, siteUrl, sender)
    await letOthersPass()
    let claimed = await claim(mailing)
    while (claimed.length > 0) {
      const { outcomes, meaning } = await sendBatch(mailing, claimed, (delivery) =>
        addressed(letter, delivery, { siteUrl, association: sender, secrets }),
      )
      if (meaning.kind !== 'going-on' || stopped) {
        const batch = claimed
        await db.transaction().execute((tx) => settle(tx, mailing, batch, outcomes))
        return heed(mailing, meaning)
      }
      if (await doOthersWait()) {
        const batch = claimed
        await db.transaction().execute((tx) => settle(tx, mailing, batch, outcomes))
        await letOthersPass()
        claimed = await claim(mailing)
      } else claimed = await claim(mailing, claimed, outcomes)
    }
    await finishIfDone(mailing)
  }

  /** A mail server may take only so many letters at once: those that one person waits for go before a newsletter. */
  async function doOthersWait(): Promise<boolean> {
    // Without polling nobody sends them meanwhile.
    return polling && !stopped && (await isEmailDue(db, PRIORITIES.personal, clock.now()))
  }

  async function letOthersPass(): Promise<void> {
    const until = performance.now() + MOST_PATIENCE_MS
    while (performance.now() < until && (await doOthersWait())) await sleep(PATIENCE_STEP_MS)
  }

  /** Writes down what became of the last batch and takes the next, in one transaction. */
  async function claim(
    mailing: Mailing,
    sent: readonly ClaimedDelivery[] = [],
    outcomes: readonly DeliveryOutcome[] = [],
  ): Promise<ClaimedDelivery[]> {
    return db.transaction().execute(async (tx) => {
      await settle(tx, mailing, sent, outcomes)
      const { campaignId } = mailing
      return claimDeliveries(tx, { campaignId, limit: connections, leaseMs: LEASE_MS, now: clock.now() })
    })
  }

  async function settle(
    tx: Kysely<Schema>,
    mailing: Mailing,
    sent: readonly ClaimedDelivery[],
    outcomes: readonly DeliveryOutcome[],
  ): Promise<void> {
    if (mailing.failuresInARow > 0 && outcomes.some(({ state }) => state === 'accepted')) {
      await forgetFailures(tx, mailing.campaignId)
      mailing.failuresInARow = 0
    }
    await settleDeliveries(tx, outcomes, clock.now())
    for (const { id, state } of outcomes) {
      const delivery = sent.find((copy) => copy.id === id)
      if (state === 'bounced' && delivery) await bounces.record(tx, delivery.subscriberId, 'hard')
    }
  }

  async function sendBatch(
    { startedAt }: Mailing,
    claimed: readonly ClaimedDelivery[],
    address: (delivery: ClaimedDelivery) => BulkLetter,
  ): Promise<{ outcomes: DeliveryOutcome[]; meaning: BatchMeaning }> {
    const hashes = claimed.map(({ email }) => addressHash(secrets, email))
    const suppressed = await listSuppressed(db, hashes)
    const mayBeSent = (delivery: ClaimedDelivery, index: number) =>
      delivery.isSubscribed && !suppressed.has(hashes[index] ?? '')
    const wanted = claimed.filter(mayBeSent)
    const verdicts: Verdict[] = await mailer.send(wanted.map(address))
    const meaning = meaningOf(verdicts)
    const now = clock.now()
    const outcomes = verdicts.map((verdict, index) =>
      outcomeOf(wanted[index] as ClaimedDelivery, verdict, { meaning, startedAt, now }),
    )
    const skipped = claimed
      .filter((delivery, index) => !mayBeSent(delivery, index))
      .map(({ id }): DeliveryOutcome => ({ id, state: 'skipped', reason: 'left before it was sent' }))
    return { outcomes: [...outcomes, ...skipped], meaning }
  }

  async function heed({ campaignId, failuresInARow }: Mailing, meaning: BatchMeaning): Promise<void> {
    if (meaning.kind === 'going-on') return
    log.warn({ campaign: campaignId, reason: meaning.reason }, 'mailing held up')
    if (meaning.kind === 'stop') {
      await pauseMailing(db, campaignId, meaning.reason)
      await alarms.raise('mailing-refused', { campaign: campaignId, reason: meaning.reason })
      return
    }
    const resumeAt = clock.now() + serverDelayMs(failuresInARow)
    await postponeMailing(db, { campaignId, resumeAt, reason: meaning.reason })
    if (failuresInARow + 1 === ALARM_AFTER)
      await alarms.raise('mailing-waits', { campaign: campaignId, reason: meaning.reason })
  }

  async function finishIfDone({ campaignId }: Mailing): Promise<void> {
    if ((await nextDue(db, campaignId)) !== null) return
    if ((await countDeliveries(db, campaignId)).sending > 0) return
    await db.transaction().execute(async (tx) => {
      const now = clock.now()
      // An officer may be sending copies again at this moment.
      await lockMailing(tx, campaignId)
      if (!(await finishMailing(tx, campaignId, now))) return
      await addToOutbox(tx, { kind: 'letter.mailing_finished', payload: { campaignId } }, now)
    })
  }

  async function runDue(): Promise<void> {
    const abandoned = await markAbandoned(db, clock.now())
    if (abandoned > 0) log.warn({ abandoned }, 'copies of a newsletter may or may not have been sent')
    for (const mailing of await listDueMailings(db, clock.now())) {
      if (stopped) return
      await sendAll(mailing)
    }
  }

  function turn(): Promise<void> {
    running ??= runDue()
      .catch((error: unknown) =>
        log.warn({ reason: String((error as Error).message).slice(0, 200) }, 'mailings could not be read'),
      )
      .finally(() => {
        running = null
      })
    return running
  }

  const timer = polling ? setInterval(() => void turn(), POLL_MS) : null
  timer?.unref()
  return {
    drain: turn,
    async stop() {
      if (timer) clearInterval(timer)
      stopped = true
      await running
      mailer.close()
    },
  }
}

/** A copy with its recipient's own links; mail programs offer leaving by the two headers (RFC 2369, RFC 8058). */
export function addressed(
  letter: Letter,
  { id, subscriberId, email }: { id: string; subscriberId: string; email: string },
  { siteUrl, association, secrets }: { siteUrl: string; association: Association; secrets: Secrets },
): BulkLetter {
  const token = writeLeaveToken(secrets, subscriberId)
  const page = secretLink(siteUrl, '/newsletter/unsubscribe', { token })
  return {
    id,
    to: email,
    subject: letter.subject,
    html: letter.html.replaceAll(LEAVE_LINK, page),
    text: letter.text.replaceAll(LEAVE_LINK, page),
    headers: {
      'List-Unsubscribe': `<${siteUrl}${ONE_CLICK_PATH}?${new URLSearchParams({ token })}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'List-Id': `${association.name.replaceAll(/[^\w .-]/g, '')} <newsletter.${new URL(siteUrl).hostname}>`,
      Precedence: 'bulk',
    },
  }
}

import type { Db } from '#server/db/database.ts'
import type { CampaignRecipients, DeliveryState } from '#server/db/schema/newsletter-schema.ts'

/** One copy of a campaign for one recipient, claimed for sending. */
export interface ClaimedDelivery {
  /** Also the local part of its Message-ID. */
  id: string
  recipientId: string
  email: string
  /** Including this one. */
  attempts: number
}

/** The result of one delivery. `waiting`: it was certainly not sent and will be retried at `dueAt`. */
export interface DeliveryOutcome {
  id: string
  state: Exclude<DeliveryState, 'sending'>
  reason: string
  dueAt?: number
}

/**
 * Claims up to `limit` due copies and marks them as `sending` before they reach the mail server. Two processes never claim the same copy: the update
 * repeats the conditions.
 */
export async function claimDeliveries(
  db: Db,
  { campaignId, limit, leaseMs, now }: { campaignId: string; limit: number; leaseMs: number; now: number },
): Promise<ClaimedDelivery[]> {
  return db
    .updateTable('delivery')
    .set((eb) => ({ state: 'sending' as const, leasedUntil: now + leaseMs, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('delivery')
        .select('id')
        .where('campaignId', '=', campaignId)
        .where('state', '=', 'waiting')
        .where('dueAt', '<=', now)
        .where((mailing) =>
          mailing.exists(
            mailing
              .selectFrom('mailing')
              .select('mailing.campaignId')
              .where('mailing.campaignId', '=', campaignId)
              .where('mailing.state', '=', 'sending'),
          ),
        )
        .orderBy('dueAt')
        .limit(limit),
    )
    .where('state', '=', 'waiting')
    .returning(['id', 'recipientId', 'email', 'attempts'])
    .execute()
}

/** Never overwrites `bounced`: a bounce report may arrive before the sender records that the copy was accepted. */
export async function saveDeliveryOutcomes(db: Db, outcomes: readonly DeliveryOutcome[], now: number): Promise<void> {
  const accepted = outcomes.filter(({ state }) => state === 'accepted').map(({ id }) => id)
  if (accepted.length > 0) {
    await db
      .updateTable('delivery')
      .set({ state: 'accepted', leasedUntil: null, finishedAt: now, reason: null })
      .where('id', 'in', accepted)
      .where('state', '!=', 'bounced')
      .execute()
  }
  for (const { id, state, reason, dueAt } of outcomes) {
    if (state === 'accepted') continue
    await db
      .updateTable('delivery')
      .set({
        state,
        reason,
        leasedUntil: null,
        finishedAt: state === 'waiting' ? null : now,
        ...(dueAt !== undefined && { dueAt }),
      })
      .where('id', '=', id)
      .where('state', '!=', 'bounced')
      .execute()
  }
}

/** Returns true only for the first report of a copy's bounce. */
export async function markBounced(db: Db, id: string, reason: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('delivery')
    .set({ state: 'bounced', reason, leasedUntil: null, finishedAt: now })
    .where('id', '=', id)
    .where('state', '!=', 'bounced')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Marks copies as `uncertain` if their sender crashed while sending: the recipient may have them. Returns how many. */
export async function markAbandonedUncertain(db: Db, now: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('delivery')
    .set({
      state: 'uncertain',
      leasedUntil: null,
      finishedAt: now,
      reason: 'the sender stopped before the mail server responded',
    })
    .where('state', '=', 'sending')
    .where('leasedUntil', '<=', now)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export type DeliveryCounts = Record<DeliveryState, number>

export async function countDeliveries(db: Db, campaignId: string): Promise<DeliveryCounts> {
  const rows = await db
    .selectFrom('delivery')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .where('campaignId', '=', campaignId)
    .groupBy('state')
    .execute()
  const counts: DeliveryCounts = {
    waiting: 0,
    sending: 0,
    accepted: 0,
    bounced: 0,
    failed: 0,
    uncertain: 0,
    skipped: 0,
  }
  for (const { state, count } of rows) counts[state] = Number(count)
  return counts
}

/** When the next copy of a campaign is due; null if none is waiting. */
export async function nextDue(db: Db, campaignId: string): Promise<number | null> {
  const row = await db
    .selectFrom('delivery')
    .select((eb) => eb.fn.min('dueAt').as('dueAt'))
    .where('campaignId', '=', campaignId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return row.dueAt === null ? null : Number(row.dueAt)
}

export async function listDeliveries(
  db: Db,
  campaignId: string,
  states: readonly DeliveryState[],
): Promise<{ id: string; email: string; state: DeliveryState; reason: string | null }[]> {
  return db
    .selectFrom('delivery')
    .select(['id', 'email', 'state', 'reason'])
    .where('campaignId', '=', campaignId)
    .where('state', 'in', states)
    .orderBy('email')
    .execute()
}

/** Requeues uncertain copies, only when an officer requests it. Returns how many. */
export async function requeueUncertain(db: Db, campaignId: string, now: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('delivery')
    .set({ state: 'waiting', dueAt: now, finishedAt: null })
    .where('campaignId', '=', campaignId)
    .where('state', '=', 'uncertain')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Finds the recipient of a bounced email. */
export async function findDelivery(
  db: Db,
  id: string,
): Promise<{ id: string; recipientId: string; recipients: CampaignRecipients } | null> {
  const row = await db
    .selectFrom('delivery')
    .innerJoin('campaign', 'campaign.id', 'delivery.campaignId')
    .select(['delivery.id', 'delivery.recipientId', 'campaign.recipients'])
    .where('delivery.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

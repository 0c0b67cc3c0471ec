import { eachByItself } from '#server/platform/each-by-itself.ts'
import type { Kysely } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { PaymentProviderError } from '#server/payments/payment-gateway.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Job } from '#server/platform/job-runner.ts'
import type { Log } from '#server/platform/logger.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { findLevel, levelsByKey } from './level.repository.ts'
import { findCurrentMembership, listMembershipsNearEnd, type Membership } from './membership.repository.ts'
import { hasLiveSubscription, termStartsAt } from './membership.rules.ts'
import { insertNotice, listNoticeKeys, noticeKey } from './notice.repository.ts'
import { dueNotice, type DueNotice, type NoticeKind } from './notice.rules.ts'

/** A notice that would go out. */
export interface PlannedNotice extends DueNotice {
  accountId: string
  levelKey: string
}

export interface NoticeService {
  /** Queues a notice in the transaction of the fact it tells; the same one is queued once, ever. */
  tell(tx: Tx, membership: Membership, notice: { kind: NoticeKind; aboutAt: number }): Promise<void>
  /** Queues what time has made due for one membership. */
  tellDue(tx: Tx, membership: Membership): Promise<void>
  /** What would go out at an instant and was not told before; changes nothing. */
  plan(at: number): Promise<PlannedNotice[]>
  /** Looks at every membership whose end or failed renewal is near. */
  job: Job
}

const EVERY_MS = 15 * 60_000
const DAY_MS = 86_400_000
const BATCH = 500
/** Wider than any notice reaches; the rule decides. */
const LOOK_BACK_MS = 60 * DAY_MS
const LOOK_AHEAD_MS = 47 * DAY_MS

export function createNoticeService({
  db,
  clock,
  log,
  timeZone,
  graceMs,
  syncSubscription,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  timeZone: string
  graceMs(): number
  /** Brings a membership to what its subscription is. @throws PaymentProviderError */
  syncSubscription(subscriptionId: string): Promise<unknown>
  wakeOutbox(): void
}): NoticeService {
  /** Memberships with something to tell that was not told, batch by batch. */
  async function* undelivered(at: number): AsyncGenerator<{ membership: Membership; notice: DueNotice }> {
    const levels = await levelsByKey(db)
    let after = ''
    for (;;) {
      const memberships = await listMembershipsNearEnd(db, {
        endsAfter: at - LOOK_BACK_MS,
        endsBefore: at + LOOK_AHEAD_MS,
        after,
        limit: BATCH,
      })
      const told = await listNoticeKeys(
        db,
        memberships.map(({ id }) => id),
      )
      for (const membership of memberships) {
        const facts = { ...membership, termStartsAt: termStartsAt(membership, levels.get(membership.levelKey) ?? null) }
        const notice = dueNotice(facts, { now: at, graceMs: graceMs(), timeZone })
        if (notice && !told.has(noticeKey(membership.id, notice))) yield { membership, notice }
      }
      if (memberships.length < BATCH) return
      after = memberships.at(-1)?.id ?? ''
    }
  }

  async function tell(
    tx: Tx,
    membership: Membership,
    { kind, aboutAt }: { kind: NoticeKind; aboutAt: number },
  ): Promise<void> {
    const now = clock.now()
    const { id: membershipId, accountId } = membership
    const noticeId = await insertNotice(tx, { accountId, membershipId, kind, aboutAt }, now)
    if (!noticeId) return
    await addToOutbox(tx, { kind: 'letter.membership_notice', payload: { noticeId } }, now)
    if (!isEndKind(kind)) return
    await writeAudit(tx, { actor: 'system', action: `membership.${kind}`, subjectId: accountId }, now)
    // A provider that neither charges nor ends it would charge again a year later; what it gave up charging can still be paid there by hand.
    if (membership.stripeSubscriptionId && (hasLiveSubscription(membership) || membership.pastDueSince !== null)) {
      const { stripeSubscriptionId: subscriptionId } = membership
      await addToOutbox(
        tx,
        {
          kind: 'payment.end_subscription',
          payload: { subscriptionId, unlessPaid: true },
          dedupeKey: `lapsed:${subscriptionId}:${aboutAt}`,
        },
        now,
      )
    }
  }

  /** The notice that is due by what is written down. */
  async function dueNow(handle: Db, membership: Membership): Promise<DueNotice | null> {
    const level = await findLevel(handle, membership.levelKey)
    const facts = { ...membership, termStartsAt: termStartsAt(membership, level) }
    return dueNotice(facts, { now: clock.now(), graceMs: graceMs(), timeZone })
  }

  /** The same once the provider was asked: what is written down may be older than what the member did and paid there, such as after a restore. */
  async function dueAtProvider({ id, accountId, stripeSubscriptionId }: Membership) {
    await syncSubscription(stripeSubscriptionId ?? '')
    const membership = await findCurrentMembership(db, accountId)
    const notice = membership?.id === id ? await dueNow(db, membership) : null
    return membership && notice && { membership, notice }
  }

  return {
    tell,

    async tellDue(tx, membership) {
      const notice = await dueNow(tx, membership)
      if (notice) await tell(tx, membership, notice)
    },

    async plan(at) {
      const planned: PlannedNotice[] = []
      for await (const { membership, notice } of undelivered(at)) {
        planned.push({ ...notice, accountId: membership.accountId, levelKey: membership.levelKey })
      }
      return planned
    },

    job: {
      name: 'membership-notices',
      everyMs: EVERY_MS,
      async run() {
        let isAway = false
        const nameOf = ({ membership }: { membership: Membership }) => `membership ${membership.id}`
        await eachByItself(undelivered(clock.now()), nameOf, async (found) => {
          let due: typeof found | null = found
          if (isEnd(found.notice) && hasLiveSubscription(found.membership)) {
            // An end is told when the provider says so too; while it is away, the next turn asks.
            if (isAway) return
            try {
              due = await dueAtProvider(found.membership)
            } catch (error) {
              if (!(error instanceof PaymentProviderError)) throw error
              isAway = error.outcome !== 'refused'
              log.warn({ membership: found.membership.id, reason: error.message }, 'an end is not told yet')
              return
            }
          }
          if (due) await tellFound(due)
        })
        wakeOutbox()
      },
    },
  }

  function tellFound({ membership, notice }: { membership: Membership; notice: DueNotice }): Promise<void> {
    return db.transaction().execute((tx) => tell(tx, membership, notice))
  }
}

function isEnd({ kind }: { kind: NoticeKind }): boolean {
  return isEndKind(kind)
}

function isEndKind(kind: NoticeKind): kind is 'expired' | 'canceled' {
  return kind === 'expired' || kind === 'canceled'
}

import { forEachCollectingErrors } from '#server/jobs/for-each-collecting-errors.ts'
import type { Kysely } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import { PaymentProviderError } from '#server/stripe/payment-gateway.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import type { Log } from '#server/lib/logger.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { findLevel, levelsByKey } from '#server/features/levels/level.queries.ts'
import { findCurrentMembership, type Membership } from '../membership.queries.ts'
import { listMembershipsNearEnd } from '../membership.repository.ts'
import { hasLiveSubscription, termStartsAt } from '../membership.rules.ts'
import { insertReminder, listReminderKeys, reminderKey } from './reminder.repository.ts'
import { dueReminder, type DueReminder, type ReminderKind } from './reminder.rules.ts'
import { sendMembershipReminder } from './reminder.emails.ts'
import { endSubscription } from '../membership.effects.ts'

/** A reminder that would be sent. */
export interface PlannedReminder extends DueReminder {
  accountId: string
  levelKey: string
}

export interface ReminderService {
  /** Queues a reminder in the transaction of its cause. Idempotent: the same reminder is queued only once. */
  queue(tx: Tx, membership: Membership, reminder: { kind: ReminderKind; aboutAt: number }): Promise<void>
  /** Queues the reminder that is due for one membership, if any. */
  queueDue(tx: Tx, membership: Membership): Promise<void>
  /** Unsent reminders that would be due at an instant; read-only. */
  plan(at: number): Promise<PlannedReminder[]>
  /** Checks every membership that is near its end or has a failed renewal. */
  job: Job
}

const EVERY_MS = 15 * 60_000
const DAY_MS = 86_400_000
const BATCH = 500
/** Wider than any reminder's window; `dueReminder` decides. */
const LOOK_BACK_MS = 60 * DAY_MS
const LOOK_AHEAD_MS = 47 * DAY_MS

export function createReminderService({
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
  /** Syncs a membership with its subscription. @throws PaymentProviderError */
  syncSubscription(subscriptionId: string): Promise<unknown>
  wakeOutbox(): void
}): ReminderService {
  /** Memberships with an unsent reminder, loaded in batches. */
  async function* unsent(at: number): AsyncGenerator<{ membership: Membership; reminder: DueReminder }> {
    const levels = await levelsByKey(db)
    let after = ''
    for (;;) {
      const memberships = await listMembershipsNearEnd(db, {
        endsAfter: at - LOOK_BACK_MS,
        endsBefore: at + LOOK_AHEAD_MS,
        after,
        limit: BATCH,
      })
      const sent = await listReminderKeys(
        db,
        memberships.map(({ id }) => id),
      )
      for (const membership of memberships) {
        const snapshot = {
          ...membership,
          termStartsAt: termStartsAt(membership, levels.get(membership.levelKey) ?? null),
        }
        const reminder = dueReminder(snapshot, { now: at, graceMs: graceMs(), timeZone })
        if (reminder && !sent.has(reminderKey(membership.id, reminder))) yield { membership, reminder }
      }
      if (memberships.length < BATCH) return
      after = memberships.at(-1)?.id ?? ''
    }
  }

  async function tell(
    tx: Tx,
    membership: Membership,
    { kind, aboutAt }: { kind: ReminderKind; aboutAt: number },
  ): Promise<void> {
    const now = clock.now()
    const { id: membershipId, accountId } = membership
    const reminderId = await insertReminder(tx, { accountId, membershipId, kind, aboutAt }, now)
    if (!reminderId) return
    await addToOutbox(tx, { effect: sendMembershipReminder, payload: { reminderId } }, now)
    if (!isEndKind(kind)) return
    await writeAudit(tx, { actor: 'system', action: `membership.${kind}`, subjectId: accountId }, now)
    // Cancel at the provider: it could charge again a year later, and a failed invoice could still be paid manually.
    if (membership.stripeSubscriptionId && (hasLiveSubscription(membership) || membership.pastDueSince !== null)) {
      const { stripeSubscriptionId: subscriptionId } = membership
      await addToOutbox(
        tx,
        {
          effect: endSubscription,
          payload: { subscriptionId, unlessPaid: true },
          dedupeKey: `lapsed:${subscriptionId}:${aboutAt}`,
        },
        now,
      )
    }
  }

  /** The reminder that is due according to our records. */
  async function dueNow(handle: Db, membership: Membership): Promise<DueReminder | null> {
    const level = await findLevel(handle, membership.levelKey)
    const snapshot = { ...membership, termStartsAt: termStartsAt(membership, level) }
    return dueReminder(snapshot, { now: clock.now(), graceMs: graceMs(), timeZone })
  }

  /** The same after a sync with the provider: our records may be outdated, such as after a restore. */
  async function dueAtProvider({ id, accountId, stripeSubscriptionId }: Membership) {
    await syncSubscription(stripeSubscriptionId ?? '')
    const membership = await findCurrentMembership(db, accountId)
    const reminder = membership?.id === id ? await dueNow(db, membership) : null
    return membership && reminder && { membership, reminder }
  }

  return {
    queue: tell,

    async queueDue(tx, membership) {
      const reminder = await dueNow(tx, membership)
      if (reminder) await tell(tx, membership, reminder)
    },

    async plan(at) {
      const planned: PlannedReminder[] = []
      for await (const { membership, reminder } of unsent(at)) {
        planned.push({ ...reminder, accountId: membership.accountId, levelKey: membership.levelKey })
      }
      return planned
    },

    job: {
      name: 'membership-reminders',
      everyMs: EVERY_MS,
      async run() {
        let isUnavailable = false
        const nameOf = ({ membership }: { membership: Membership }) => `membership ${membership.id}`
        await forEachCollectingErrors(unsent(clock.now()), nameOf, async (found) => {
          let due: typeof found | null = found
          if (isEnd(found.reminder) && hasLiveSubscription(found.membership)) {
            // Email about an end only after the provider confirms it; while it is unavailable, the next run retries.
            if (isUnavailable) return
            try {
              due = await dueAtProvider(found.membership)
            } catch (error) {
              if (!(error instanceof PaymentProviderError)) throw error
              isUnavailable = error.outcome !== 'refused'
              log.warn(
                { membership: found.membership.id, reason: error.message },
                'end of membership not confirmed yet',
              )
              return
            }
          }
          if (due) await queueFound(due)
        })
        wakeOutbox()
      },
    },
  }

  function queueFound({ membership, reminder }: { membership: Membership; reminder: DueReminder }): Promise<void> {
    return db.transaction().execute((tx) => tell(tx, membership, reminder))
  }
}

function isEnd({ kind }: { kind: ReminderKind }): boolean {
  return isEndKind(kind)
}

function isEndKind(kind: ReminderKind): kind is 'expired' | 'canceled' {
  return kind === 'expired' || kind === 'canceled'
}

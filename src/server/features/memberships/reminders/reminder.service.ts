import type { AppContext } from '#server/app-context.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { findLevel, levelsByKey, type Level } from '#server/features/levels/level.queries.ts'
import { type Membership } from '../membership.queries.ts'
import { listMembershipsNearEnd } from '../membership.repository.ts'
import { findGrantTimes, grantKey } from '../payments/complimentary.queries.ts'
import { hasLiveSubscription, termStartsAt } from '../membership.rules.ts'
import { insertReminder, listReminderKeys, recordDroppedReminder, reminderKey } from './reminder.repository.ts'
import { dueReminder, isEndKind, reminderTermStart, type DueReminder, type ReminderKind } from './reminder.rules.ts'
import { sendMembershipReminder } from './reminder.emails.ts'
import { endSubscription } from '../membership.effects.ts'

/** A reminder that would be sent. */
export interface PlannedReminder extends DueReminder {
  accountId: string
  levelKey: string
}

const DAY_MS = 86_400_000
const BATCH = 500
/** Wider than any reminder's window; `dueReminder` decides. */
const LOOK_BACK_MS = 60 * DAY_MS
const LOOK_AHEAD_MS = 47 * DAY_MS

function withTermStart(membership: Membership, level: Level | null, grants: ReadonlyMap<string, number>) {
  const { id, startedAt, endsAt } = membership
  const grantedAt = grants.get(grantKey(id, endsAt)) ?? null
  return {
    ...membership,
    termStartsAt: reminderTermStart(termStartsAt(membership, level), startedAt, grantedAt),
  }
}

export function createReminderService({ db, clock, timeZone, graceMs }: AppContext) {
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
      const grants = await findGrantTimes(
        db,
        memberships.map(({ id }) => id),
      )
      for (const membership of memberships) {
        const level = levels.get(membership.levelKey) ?? null
        const snapshot = withTermStart(membership, level, grants)
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
    const snapshot = withTermStart(membership, level, await findGrantTimes(handle, [membership.id]))
    return dueReminder(snapshot, { now: clock.now(), graceMs: graceMs(), timeZone })
  }

  return {
    /** Queues a reminder in the transaction of its cause. Idempotent: the same reminder is queued only once. */
    queue: tell,
    /** Memberships with an unsent reminder that is due at an instant. */
    unsent,
    /** The reminder that is due now for a membership; null for none. */
    dueNow,

    /** Queues the reminder that is due for one membership, if any. */
    async queueDue(tx: Tx, membership: Membership): Promise<void> {
      const reminder = await dueNow(tx, membership)
      if (reminder) await tell(tx, membership, reminder)
    },

    /** Records the reminder that is due as dropped, such as after an import, which emails nothing; later ones are sent. */
    async dropDue(tx: Tx, membership: Membership): Promise<void> {
      const reminder = await dueNow(tx, membership)
      const { id: membershipId, accountId } = membership
      if (reminder) await recordDroppedReminder(tx, { accountId, membershipId, ...reminder }, clock.now())
    },

    /** Unsent reminders that would be due at an instant; read-only. */
    async plan(at: number): Promise<PlannedReminder[]> {
      const planned: PlannedReminder[] = []
      for await (const { membership, reminder } of unsent(at)) {
        planned.push({ ...reminder, accountId: membership.accountId, levelKey: membership.levelKey })
      }
      return planned
    },
  }
}

export type ReminderService = ReturnType<typeof createReminderService>

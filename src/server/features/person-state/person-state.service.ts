import type { AppContext } from '#server/app-context.ts'
import type { PersonRecord, PersonState, setPersonState } from '#contract/console/people/person-state.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { PaymentProviderError } from '#server/stripe/payment-gateway.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { findMergeTargetEmail } from '#server/features/accounts/account-merge.queries.ts'
import { findAccount, type Account } from '#server/features/accounts/account.queries.ts'
import { nameOfOfficer } from '#server/features/officers/approvals/approval.emails.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { requireAnotherManager } from '#server/features/officers/managers.commands.ts'
import { lockPresidents } from '#server/features/officers/officer.commands.ts'
import type { OfficerAct } from '#server/features/officers/officer-acts.rules.ts'
import { findCurrentMembership } from '#server/features/memberships/membership.queries.ts'
import { hasLiveSubscription } from '#server/features/memberships/membership.rules.ts'
import { stopRenewal } from '#server/features/memberships/membership.effects.ts'
import type { SubscriptionService } from '#server/features/memberships/subscription.service.ts'
import type { HeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import type { DeathReports } from './death-reports.service.ts'
import { endEmails, restoreEmails } from './deceased-emails.commands.ts'
import { closeReports, insertDecision, setDeceased, undoDecision } from './person-state.commands.ts'
import { sendAccountReopened } from './person-state.emails.ts'
import {
  findPersonDecision,
  isBeingEnded,
  listOpenReports,
  wasRenewalStopAsked,
  type PersonDecision,
} from './person-state.queries.ts'
import { decidableFrom, sourcesOf, undoUntil } from './person-state.rules.ts'

const iso = (instant: number) => new Date(instant).toISOString()

/** What officers decide about a person (decision record 63). Methods throw Problem NOT_FOUND, and whatever the authorization guard throws. */
export function createPersonStateService(
  { db, clock, secrets, timeZone, gateway, wakeOutbox }: AppContext,
  {
    guard,
    reports,
    subscriptions,
    heldWork,
  }: {
    guard: ActAuthorizer
    reports: DeathReports
    subscriptions: Pick<SubscriptionService, 'sync'>
    heldWork: HeldWork
  },
) {
  async function requirePerson(handle: Db, id: string): Promise<Account> {
    const account = await findAccount(handle, id)
    if (!account) throw new Problem('NOT_FOUND')
    return account
  }

  async function may(handle: Db, act: OfficerAct, by: Officer, on: string): Promise<boolean> {
    return (await guard.refusal(handle, { act, by: by.accountId, on })) === null
  }

  async function describe(handle: Db, by: Officer, id: string): Promise<PersonRecord> {
    await requirePerson(handle, id)
    const [decision, open] = [await findPersonDecision(handle, id), await listOpenReports(handle, id)]
    const from = decidableFrom(open)
    const until = decision && undoUntil(decision)
    return {
      state: decision?.state ?? 'living',
      decision: decision && {
        since: decision.since,
        sources: decision.sources,
        decidedBy: await nameOfOfficer(handle, decision.decidedBy),
        decidedAt: iso(decision.decidedAt),
        undoUntil: until === null ? null : iso(until),
        endedRenewal: decision.endedRenewal === 1,
      },
      reports: await Promise.all(
        open.map(async ({ source, reportedBy, reportedAt }) => ({
          source,
          reportedBy: reportedBy === null ? null : await nameOfOfficer(handle, reportedBy),
          reportedAt: iso(reportedAt),
        })),
      ),
      decidableFrom: from === null ? null : iso(from),
      mayReport: await may(handle, 'reportDeath', by, id),
      mayDecide: await may(handle, 'setPersonState', by, id),
    }
  }

  /** Throws if this officer may not change the state of this person to `wanted` now. Takes the locks in the order of deletions. */
  async function check(tx: Tx, by: Officer, id: string, { state, seen }: { state: PersonState; seen: PersonState }) {
    await lockPresidents(tx)
    await lockAccount(tx, id)
    const account = await requirePerson(tx, id)
    await guard.require(tx, { act: 'setPersonState', by: by.accountId, on: id })
    const decision = await findPersonDecision(tx, id)
    if ((decision?.state ?? 'living') !== seen || state === seen) throw new Problem('CHANGED_MEANWHILE')
    if ((await findMergeTargetEmail(tx, id)) !== null) throw new Problem('IS_MERGED')
    if (account.deactivatedBy === 'self') throw new Problem('ACCOUNT_CLOSED', { message: DELETED })
    if (state === 'living') {
      if (await isBeingEnded(tx, id)) throw new Problem('ENDING_UNDER_WAY')
      const until = decision && undoUntil(decision)
      if (until !== null && clock.now() > until) throw new Problem('UNDO_OVER')
      return { account, decision, sources: [] }
    }
    if (account.deactivatedBy !== null) throw new Problem('ACCOUNT_CLOSED')
    if (state === 'lost') return { account, decision, sources: [] }
    await requireAnotherManager(tx, id, dayOf(clock.now(), timeZone))
    const open = await listOpenReports(tx, id)
    const from = decidableFrom(open)
    if (from === null) throw new Problem('TWO_SOURCES_NEEDED')
    if (clock.now() < from) throw new Problem('TIME_TO_OBJECT')
    return { account, decision, sources: sourcesOf(open) }
  }

  /**
   * Ends the recurring payment: at the provider first, then here. Returns the subscription, also if an earlier attempt ended it; null if nothing renews.
   * @throws Problem PROVIDER_FAILED
   */
  async function endRenewal(by: Officer, id: string, reason: string): Promise<string | null> {
    const membership = await findCurrentMembership(db, id)
    const subscriptionId = membership?.stripeSubscriptionId
    if (!membership || !subscriptionId) return null
    const isStopped = membership.cancelAtPeriodEnd && membership.pastDueSince === null
    if (!hasLiveSubscription(membership) || isStopped)
      return (await wasRenewalStopAsked(db, id, membership.id)) ? subscriptionId : null
    // Before the call: its response can be lost, and the record of the death can still be refused after it.
    const details = { reason, level: membership.levelKey, deceased: membership.id }
    const now = clock.now()
    await writeAudit(db, { actor: by.accountId, action: 'membership.stop_asked', subjectId: id, details }, now)
    try {
      // A new key each time: the provider replays a failure for the same key, and ending it again changes nothing.
      await gateway.cancelAtPeriodEnd(subscriptionId, `deceased:${membership.id}:${now}`)
      await subscriptions.sync(subscriptionId)
    } catch (error) {
      if (error instanceof PaymentProviderError) throw new Problem('PROVIDER_FAILED')
      throw error
    }
    return subscriptionId
  }

  async function store(
    tx: Tx,
    { id, by, state, since }: { id: string; by: string; state: 'lost' | 'deceased'; since: string },
    more: Pick<PersonDecision, 'sources' | 'endedNewsletter'> & { endedRenewal: boolean; reason: string },
  ): Promise<void> {
    const now = clock.now()
    const { sources, reason, endedNewsletter, endedRenewal } = more
    await undoDecision(tx, id, { undoneBy: by, now })
    await insertDecision(tx, {
      id: newId(now),
      accountId: id,
      state,
      since,
      sources: sources.length > 0 ? sources : [reason],
      decidedBy: by,
      decidedAt: now,
      endedRenewal: endedRenewal ? 1 : 0,
      endedNewsletter,
    })
    const details = { since, reason, ...(sources.length > 0 && { sources }), ...(endedRenewal && { endedRenewal }) }
    const action = state === 'lost' ? 'person.lost' : 'person.deceased'
    await writeAudit(tx, { actor: by, action, subjectId: id, details }, now)
  }

  async function setDied(by: Officer, id: string, wanted: Wanted): Promise<void> {
    // Everything that could refuse it is checked before the provider is asked, and again afterwards.
    await db.transaction().execute((tx) => check(tx, by, id, wanted))
    const ended = await endRenewal(by, id, wanted.reason)
    await db.transaction().execute(async (tx) => {
      const { account, sources } = await check(tx, by, id, wanted)
      const now = clock.now()
      const endedNewsletter = await endEmails(tx, secrets, account, now)
      await setDeceased(tx, id, true, now)
      await closeReports(tx, id, { closedAs: 'decided', now })
      const { reason, since } = wanted
      const decision = { id, by: by.accountId, state: 'deceased', since } as const
      await store(tx, decision, { sources, reason, endedNewsletter, endedRenewal: ended !== null })
      const membership = await findCurrentMembership(tx, id)
      const current = membership && hasLiveSubscription(membership) ? membership.stripeSubscriptionId : null
      // Bought in the meantime.
      if (current !== null && current !== ended && !membership?.cancelAtPeriodEnd) {
        const payload = { subscriptionId: current, cause: `deceased:${id}:${now}` }
        await addToOutbox(tx, { effect: stopRenewal, payload }, now)
      }
    })
    await heldWork.holdScheduled(id, by.accountId)
  }

  async function setLost(by: Officer, id: string, wanted: Wanted): Promise<void> {
    await db.transaction().execute(async (tx) => {
      await check(tx, by, id, wanted)
      const { reason, since } = wanted
      const more = { sources: [], reason, endedNewsletter: null, endedRenewal: false }
      await store(tx, { id, by: by.accountId, state: 'lost', since }, more)
    })
  }

  async function undo(by: Officer, id: string, wanted: Wanted): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const { account, decision } = await check(tx, by, id, wanted)
      if (!decision) throw new Problem('CHANGED_MEANWHILE')
      const now = clock.now()
      await undoDecision(tx, id, { undoneBy: by.accountId, now })
      const endedRenewal = decision.endedRenewal === 1
      if (decision.state === 'deceased') {
        await setDeceased(tx, id, false, now)
        await restoreEmails(tx, secrets, { account, newsletter: decision.endedNewsletter })
        await addToOutbox(tx, { effect: sendAccountReopened, payload: { accountId: id, endedRenewal } }, now)
      }
      // Only the end of a recorded death opens an account, as rolls read it.
      const action = decision.state === 'deceased' ? 'person.state_undone' : 'person.found'
      const details = {
        before: { state: decision.state },
        reason: wanted.reason,
        ...(endedRenewal && { endedRenewal }),
      }
      await writeAudit(tx, { actor: by.accountId, action, subjectId: id, details }, now)
    })
  }

  return {
    describe: (by: Officer, id: string) => describe(db, by, id),

    /** Changes nothing visible; the account gets an email with the first report. @throws Problem ACCOUNT_CLOSED */
    async report(by: Officer, id: string, source: string): Promise<PersonRecord> {
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, id)
        const { deactivatedBy } = await requirePerson(tx, id)
        await guard.require(tx, { act: 'reportDeath', by: by.accountId, on: id })
        if (deactivatedBy !== null) throw new Problem('ACCOUNT_CLOSED')
        await reports.add(tx, id, { source, by: by.accountId })
      })
      wakeOutbox()
      return describe(db, by, id)
    },

    /** @throws Problem CHANGED_MEANWHILE without an open report */
    async dismissReports(by: Officer, id: string, reason: string): Promise<PersonRecord> {
      return db.transaction().execute(async (tx) => {
        const now = clock.now()
        await lockAccount(tx, id)
        await requirePerson(tx, id)
        await guard.require(tx, { act: 'dismissDeathReports', by: by.accountId, on: id })
        if ((await closeReports(tx, id, { closedAs: 'dismissed', now })) === 0) throw new Problem('CHANGED_MEANWHILE')
        const details = { reason }
        await writeAudit(tx, { actor: by.accountId, action: 'person.reports_dismissed', subjectId: id, details }, now)
        return describe(tx, by, id)
      })
    },

    /**
     * A death closes the account, ends the recurring payment and every email; lost contact changes neither. `living` undoes both, except for the recurring
     * payment.
     * @throws Problem as the endpoint lists; INVALID_INPUT for a day to come
     */
    async set(by: Officer, id: string, body: BodyOf<typeof setPersonState>): Promise<PersonRecord> {
      const today = dayOf(clock.now(), timeZone)
      const since = body.since ?? today
      if (since > today) throw fieldProblem('since', 'This day is still to come')
      const act = { living: undo, lost: setLost, deceased: setDied }[body.state]
      await act(by, id, { ...body, since })
      wakeOutbox()
      return describe(db, by, id)
    },
  }
}

export type PersonStateService = ReturnType<typeof createPersonStateService>

interface Wanted {
  state: PersonState
  seen: PersonState
  since: string
  reason: string
}

const DELETED = 'This account was deleted.'

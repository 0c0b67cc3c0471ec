import type { AppContext } from '#server/app-context.ts'
import type {
  checkPayments,
  getPaymentChoices,
  findPayers,
  PaymentRow,
  PaymentVerdict,
  recordPayments,
} from '#contract/console/money/record-payments.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { Tx } from '#server/db/database.ts'
import type { PaymentKind } from '#server/db/schema/money-schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { Problem } from '#server/lib/problem.ts'
import { consentVersion } from '#server/features/officers/approvals/approval-version.service.ts'
import type { MemberListService } from '#server/features/member-admin/member-list.service.ts'
import { listLevels } from '#server/features/levels/level.queries.ts'
import { newBatch, type ManualKind, type ManualPlan } from '#server/features/orders/payments/manual-kind.registry.ts'
import { listRsvpSettings } from '#server/features/rsvps/rsvp-settings.queries.ts'
import {
  findBatchReceipts,
  findLevelsByEmail,
  findLevelsOf,
  insertBatch,
  setBatchReceipts,
} from './record-payments.repository.ts'
import { noteFault, readRow } from './record-payments.rules.ts'

const SUGGESTED = 8

interface Checked {
  verdict: PaymentVerdict
  /** null if the row has faults. */
  plan: ManualPlan | null
}

/** Payments outside the card provider of all kinds: checked row by row, then recorded together or not at all. */
export function createRecordPayments(
  { db, clock, timeZone, cache, wakeOutbox }: AppContext,
  { kinds, memberList }: { kinds: Record<PaymentKind, ManualKind>; memberList: Pick<MemberListService, 'search'> },
) {
  const today = () => dayOf(clock.now(), timeZone)

  /** Plans every row, with its account or event locked. Writes nothing. */
  async function checkAll(tx: Tx, by: Officer, rows: readonly PaymentRow[]): Promise<Checked[]> {
    const batch = newBatch()
    const checked: Checked[] = []
    const withoutLevel = rows.filter(({ kind, levelKey, email }) => kind === 'dues' && levelKey === '' && email !== '')
    const levels = await findLevelsByEmail(
      tx,
      withoutLevel.map(({ email }) => nameKey(email)),
    )
    for (const typed of rows) {
      const memberLevel = withoutLevel.includes(typed) ? (levels.get(nameKey(typed.email)) ?? null) : null
      const { row, amount, faults } = readRow(typed, today(), clock.now())
      if (row === null) {
        const verdict = { faults, payer: typed.name, memberLevel, amount, price: null, sentences: [] }
        checked.push({ verdict, plan: null })
        continue
      }
      const plan = await kinds[row.kind].plan(tx, row, by.accountId, batch)
      const all = [...plan.faults, ...(plan.faults.length === 0 ? noteFault(plan.price, row) : [])]
      const { payer, price, sentences } = plan
      checked.push({
        verdict: { faults: all, payer, memberLevel, amount, price, sentences },
        plan: all.length === 0 ? plan : null,
      })
    }
    return checked
  }

  const versionOf = (checked: readonly Checked[]) =>
    consentVersion(checked.map(({ verdict }) => JSON.stringify(verdict)))

  return {
    async check(by: Officer, { rows }: BodyOf<typeof checkPayments>): Promise<ReplyOf<typeof checkPayments>> {
      // In a transaction, since plans lock what they read.
      const checked = await db.transaction().execute((tx) => checkAll(tx, by, rows))
      return {
        verdicts: checked.map(({ verdict }) => verdict),
        total: checked.reduce((sum, { verdict, plan }) => sum + (plan ? (verdict.amount ?? 0) : 0), 0),
        version: versionOf(checked),
      }
    },

    /**
     * Records all rows in one transaction. The same key records once, and returns the same receipts.
     * @throws Problem CHANGED_MEANWHILE if a verdict is not as it was seen, or a row has a fault
     */
    async record(
      by: Officer,
      { rows, version, key }: BodyOf<typeof recordPayments>,
    ): Promise<ReplyOf<typeof recordPayments>> {
      const receipts = await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const id = `${by.accountId}:${key}`
        // The row is inserted first: a second request with this key waits for it, and finds the receipts.
        if (!(await insertBatch(tx, { id, recordedBy: by.accountId, recordedAt: now })))
          return (await findBatchReceipts(tx, id)) ?? []
        const checked = await checkAll(tx, by, rows)
        if (versionOf(checked) !== version) throw new Problem('CHANGED_MEANWHILE')
        const written = []
        for (const [index, { plan }] of checked.entries()) {
          const { kind } = rows[index]!
          if (!plan) throw new Problem('CHANGED_MEANWHILE')
          written.push({ kind, ...(await plan.record(now)) })
        }
        await setBatchReceipts(tx, id, written)
        return written
      })
      wakeOutbox()
      return { receipts }
    },

    /** What a payment can be for. Levels that are no longer on sale are included: their members still pay. */
    async choices(): Promise<ReplyOf<typeof getPaymentChoices>> {
      const { events, tiers } = cache.content()
      const settings = await listRsvpSettings(db)
      return {
        levels: (await listLevels(db)).map(({ key, name, unitAmount }) => ({ key, name, price: unitAmount })),
        events: settings
          .flatMap(({ eventId, price, memberPrice, kinds, calledOff }) => {
            const event = events.get(eventId)
            if (!event || (price === null && kinds.length === 0) || calledOff !== null) return []
            return [{ id: eventId, title: event.title, day: event.startsOn, price, memberPrice: memberPrice ?? price }]
          })
          .sort((a, b) => ((a.day ?? '') < (b.day ?? '') ? 1 : -1)),
        tiers: tiers.flatMap(({ name, unitAmount }) => (unitAmount === null ? [] : [{ name, price: unitAmount }])),
        today: today(),
      }
    },

    /** Members found by part of a name or email. */
    async payers(q: string): Promise<ReplyOf<typeof findPayers>> {
      const people = q === '' ? [] : await memberList.search(q, SUGGESTED)
      const levels = await findLevelsOf(
        db,
        people.map(({ id }) => id),
      )
      return {
        payers: people.map(({ id, firstName, lastName, email }) => {
          const { levelKey = null, level = null } = levels.get(id) ?? {}
          return { accountId: id, name: `${firstName} ${lastName}`, email, levelKey, level }
        }),
      }
    },
  }
}

export type RecordPayments = ReturnType<typeof createRecordPayments>

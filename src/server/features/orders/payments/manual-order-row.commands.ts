import { region } from '#contract/region.ts'
import { errors } from '#contract/errors.ts'
import type { AuditAction } from '#server/audit-log/audit-actions.rules.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Tx } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import { findAccountByEmail } from '#server/features/accounts/account.queries.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { manualOrder, type OrderPaymentCommands } from '../order-payment.commands.ts'
import { faulty, findDouble, type ManualBatch, type ManualPlan, type ManualRow } from './manual-kind.registry.ts'
import { manualReference } from './manual-payment.rules.ts'
import { receiptNumber } from './receipt-number.rules.ts'

interface Planned {
  row: ManualRow
  /** The officer's account. */
  by: string
  batch: ManualBatch
  /** Whose references are unique; see `manualReference`. */
  owner: string
  /** Shown with a fault. */
  payer: string
}

/** What recording seats and sponsorships by hand has in common: who may, doubles, the columns of the paid order, and the audit log. */
export function manualOrderRows(
  payments: OrderPaymentCommands,
  { guard, yearOf }: { guard: ActAuthorizer; yearOf(instant: number): string },
) {
  return {
    /** The reference under which the row is recorded, or the plan that says why it cannot be. */
    async refer(tx: Tx, { row, by, batch, owner, payer }: Planned): Promise<string | ManualPlan> {
      const account = await findAccountByEmail(tx, row.email)
      const refusal = account && (await guard.refusal(tx, { act: 'recordPayments', by, on: account.id }))
      if (refusal) return faulty([{ field: 'email', message: errors[refusal].message }], payer)
      const reference = manualReference(owner, row)
      const doubles = findDouble(reference, await payments.findManual(tx, reference), batch)
      return doubles.length > 0 ? faulty(doubles, payer) : reference
    },

    /** The columns of the paid order with its payment. */
    orderOf({ amount, paidAt }: ManualRow, reference: string, now: number) {
      const id = newId(now)
      const number = receiptNumber(id, paidAt, yearOf)
      const paid = {
        id,
        amount,
        currency: region().currency,
        paidAt,
        receiptNumber: number,
        manualReference: reference,
        replacesId: null,
      }
      return { order: manualOrder(paid, now), recorded: { id, receiptNumber: number } }
    },

    async audit(
      tx: Tx,
      { method, reference, amount, paidAt, note }: ManualRow,
      { by, action, id, now, also }: { by: string; action: AuditAction; id: string; now: number; also?: object },
    ): Promise<void> {
      const reason = note === '' ? {} : { reason: note }
      const details = { before: null, after: { method, reference, amount, paidAt, ...also, ...reason } }
      await writeAudit(tx, { actor: by, action, subjectId: id, details }, now)
    },
  }
}

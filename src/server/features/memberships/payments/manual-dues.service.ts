import type { AppContext } from '#server/app-context.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { errors } from '#contract/errors.ts'
import { Problem } from '#server/lib/problem.ts'
import { findAccountByEmail } from '#server/features/accounts/account.queries.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { faulty, type ManualKind, type RowFault } from '#server/features/orders/payments/manual-kind.registry.ts'
import type { ManualPayments, ManualPlan } from './manual-payment.service.ts'

/** Dues that officers record, next to other kinds of payments. */
export function createManualDues(
  { timeZone }: AppContext,
  { manualPayments, guard }: { manualPayments: ManualPayments; guard: ActAuthorizer },
): ManualKind {
  return {
    async plan(tx, row, by, batch) {
      const account = await findAccountByEmail(tx, row.email)
      if (!account) return faulty([{ field: 'email', message: 'No account has this email' }])
      const { id: accountId } = account
      const payer = `${account.firstName} ${account.lastName}`
      const refusal = await guard.refusal(tx, { act: 'recordPayments', by, on: accountId })
      if (refusal !== null) return faulty([{ field: 'email', message: errors[refusal].message }], payer)
      if (batch.accounts.has(accountId))
        return faulty(
          [{ field: 'email', message: 'Another row has dues of this member. Record them one after the other.' }],
          payer,
        )
      batch.accounts.add(accountId)
      try {
        const { levelKey, note, ...paid } = row
        const plan = await manualPayments.planManualPayment(tx, { accountId, levelKey }, paid)
        return {
          faults: [],
          payer,
          price: plan.level.unitAmount,
          sentences: [sentenceOf(plan, timeZone)],
          record: () =>
            manualPayments.recordWithin(
              tx,
              { accountId, levelKey, actor: by },
              { ...paid, ...(note !== '' && { note }) },
            ),
        }
      } catch (error) {
        if (error instanceof Problem) return faulty(faultsOf(error), payer)
        throw error
      }
    },
  }
}

/** What the payment does, before it is recorded. */
function sentenceOf({ level, endsAt, purpose, isExtension, isRunning }: ManualPlan, timeZone: string): string {
  const term = `${level.name} ${endsAt === null ? 'for life' : `until ${formatLongDate(endsAt, timeZone)}`}`
  if (isExtension) return `Extends ${term}.`
  if (purpose === 'renewal') return `Renews ${term}, instead of the card.`
  return `Starts ${term}${isRunning ? ', replacing the current level' : ''}.`
}

function faultsOf({ fields, message }: Problem): RowFault[] {
  return Object.entries(fields ?? { email: message }).map(([field, text]) => ({
    field: field as RowFault['field'],
    message: text,
  }))
}

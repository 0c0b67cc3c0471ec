import type { listSubscriptionImports, undoSubscriptionImport } from '#contract/console/money/subscription-imports.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { errors } from '#contract/errors.ts'
import type { AppContext } from '#server/app-context.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Tx } from '#server/db/database.ts'
import type { Officer } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import { lockAccount, setStripeCustomer } from '#server/features/accounts/account.commands.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import {
  deleteImportedMembership,
  detachSubscription,
  restoreReplacedMembership,
} from '#server/features/memberships/membership.commands.ts'
import { findMembershipBySubscription } from '#server/features/memberships/membership.queries.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { deleteImportedPayment, hasStatementSince, listImportedPayments } from '../import/payment-import.repository.ts'
import {
  beginUndo,
  countRows,
  findRowToUndo,
  hasImport,
  listExceptions,
  listImports,
  listRowsToUndo,
  markRow,
  type RowToUndo,
} from './subscription-import.repository.ts'
import { changeSinceImport, type BeforeImport } from './subscription-undo.rules.ts'

const LISTED = 10
const EXCEPTIONS_LISTED = 50

/** The imports of subscriptions, and their undo: members have what they had before, and the provider is not called. */
export function createSubscriptionImports({ db, clock, timeZone }: AppContext, { guard }: { guard: ActAuthorizer }) {
  /** Restores the membership. Returns why not, if something happened since. */
  async function restore(tx: Tx, row: RowToUndo): Promise<string | null> {
    const now = clock.now()
    const { accountId, subscriptionId, membershipId, beforeImport, afterImport } = row
    if (membershipId === null || !beforeImport || !afterImport) return null
    const membership = await findMembershipBySubscription(tx, subscriptionId)
    const change = changeSinceImport(membership, { accountId, membershipId, after: afterImport })
    if (change !== null) return change
    const { membership: before, customerId }: BeforeImport = beforeImport
    if (before?.was === 'changed') await detachSubscription(tx, membershipId, before, now)
    else await deleteImportedMembership(tx, membershipId)
    if (before?.was === 'replaced') await restoreReplacedMembership(tx, before, now)
    const account = await findAccount(tx, accountId)
    if (account?.stripeCustomerId === row.customerId) await setStripeCustomer(tx, accountId, customerId, now)
    return null
  }

  /** Deletes the recorded history of an account, except what a statement names or something happened to. */
  async function deleteHistory(tx: Tx, importId: string, accountId: string): Promise<void> {
    for (const payment of await listImportedPayments(tx, importId, accountId)) {
      const year = Number(dayOf(payment.paidAt, timeZone).slice(0, 4))
      if (await hasStatementSince(tx, { accountId, year, since: payment.recordedAt })) continue
      await deleteImportedPayment(tx, payment.id)
    }
  }

  return {
    async list(): Promise<ReplyOf<typeof listSubscriptionImports>> {
      const imports = []
      for (const { id, importedAt, importedBy, undoneAt } of await listImports(db, LISTED)) {
        const officer = await findAccount(db, importedBy)
        const counts = await countRows(db, id)
        const exceptions = await listExceptions(db, id, EXCEPTIONS_LISTED)
        imports.push({
          id,
          at: new Date(importedAt).toISOString(),
          by: officer ? `${officer.firstName} ${officer.lastName}` : 'An officer',
          undoneAt: undoneAt === null ? null : new Date(undoneAt).toISOString(),
          waiting: counts['waiting'] ?? 0,
          imported: counts['imported'] ?? 0,
          undone: counts['undone'] ?? 0,
          exceptions: exceptions.map(({ accountId, firstName, lastName, reason }) => ({
            accountId,
            name: firstName === null ? 'A deleted account' : `${firstName} ${lastName}`,
            sentence: reason ?? '',
          })),
        })
      }
      return { imports }
    },

    /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE if it was undone before */
    async undo(by: Officer, id: string): Promise<ReplyOf<typeof undoSubscriptionImport>> {
      if (!(await hasImport(db, id))) throw new Problem('NOT_FOUND')
      const now = clock.now()
      return db.transaction().execute(async (tx) => {
        if (!(await beginUndo(tx, id, { by: by.accountId, now }))) throw new Problem('CHANGED_MEANWHILE')
        const result = { undone: 0, kept: 0 }
        for (const { accountId, ...key } of await listRowsToUndo(tx, id)) {
          await lockAccount(tx, accountId)
          const row = await findRowToUndo(tx, key)
          if (!row) continue
          const { subscriptionId, state } = row
          const refusal = await guard.refusal(tx, { act: 'recordPayments', by: by.accountId, on: accountId })
          const reason = refusal === null ? await restore(tx, row) : errors[refusal].message
          await markRow(tx, row, { state: reason === null ? 'undone' : 'kept', reason, now })
          result[reason === null ? 'undone' : 'kept']++
          if (reason !== null || state === 'waiting') continue
          await deleteHistory(tx, id, accountId)
          const details = { batch: id, subscription: subscriptionId }
          const action = 'membership.subscription_import_undone' as const
          await writeAudit(tx, { actor: by.accountId, action, subjectId: accountId, details }, now)
        }
        const details = { batch: id, ...result }
        const action = 'subscriptions.import_undone' as const
        await writeAudit(tx, { actor: by.accountId, action, subjectId: id, details }, now)
        return result
      })
    },
  }
}

export type SubscriptionImports = ReturnType<typeof createSubscriptionImports>

import type { AppContext } from '#server/app-context.ts'
import type { Db } from '#server/db/database.ts'
import { findAccountByEmail } from '#server/features/accounts/account.queries.ts'
import type { BulkContentEditor } from '#server/features/content/record-writer.service.ts'
import { createNewLevels } from '#server/features/dues/new-levels.service.ts'
import type { MemberListService } from '#server/features/member-admin/member-list.service.ts'
import type { ReceiptService } from '#server/features/memberships/billing/receipt.service.ts'
import { createManualDues } from '#server/features/memberships/payments/manual-dues.service.ts'
import { hasRights } from '#server/features/memberships/membership.rules.ts'
import { findSubscriptionView } from '#server/features/memberships/subscription-view.service.ts'
import type { ReminderService } from '#server/features/memberships/reminders/reminder.service.ts'
import type { ManualPayments } from '#server/features/memberships/payments/manual-payment.service.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import type { OrderKind } from '#server/features/orders/order-kind.registry.ts'
import type { Orders } from '#server/features/orders/order.service.ts'
import { createManualSeats } from '#server/features/rsvps/orders/manual-seats.service.ts'
import type { RsvpMoneyService } from '#server/features/rsvps/orders/rsvp-money.service.ts'
import type { Waitlist } from '#server/features/rsvps/orders/waitlist.service.ts'
import { createManualSponsorships } from '#server/features/sponsors/orders/manual-sponsorship.service.ts'
import { createManualOrderCorrections } from '#server/features/treasury/payment/manual-order-corrections.service.ts'
import { createPaymentActions } from '#server/features/treasury/payment/payment-actions.service.ts'
import { createPaymentListService } from '#server/features/treasury/payment-list.service.ts'
import { createPaymentPageService } from '#server/features/treasury/payment/payment-page.service.ts'
import { createPaymentReceipts } from '#server/features/treasury/payment/payment-receipts.service.ts'
import { createPayoutsService } from '#server/features/treasury/payouts.service.ts'
import { createJournalService } from '#server/features/treasury/year/journal.service.ts'
import { createStatements } from '#server/features/treasury/year/statement.service.ts'
import { createYearService } from '#server/features/treasury/year/year.service.ts'
import { createPaymentImports } from '#server/features/treasury/import/payment-import.service.ts'
import { createSubscriptionImportRun } from '#server/features/treasury/subscriptions/subscription-import-run.service.ts'
import { createSubscriptionImports } from '#server/features/treasury/subscriptions/subscription-imports.service.ts'
import { createSubscriptionReviews } from '#server/features/treasury/subscriptions/subscription-review.service.ts'
import { createRecordPayments } from '#server/features/treasury/recording/record-payments.service.ts'

interface Tools {
  guard: ActAuthorizer
  orders: Orders
  kinds: readonly OrderKind[]
  waitlist: Waitlist
  rsvpMoney: RsvpMoneyService
  manualPayments: ManualPayments
  receipts: ReceiptService
  reminders: ReminderService
  memberList: Pick<MemberListService, 'search'>
  content: Pick<BulkContentEditor, 'publish'>
}

/** The services of the treasurer: payments of all kinds, in one place. */
export function createTreasury(ctx: AppContext, tools: Tools) {
  const { guard, orders, kinds, waitlist, rsvpMoney, manualPayments, receipts, reminders, memberList, content } = tools
  const paymentPage = createPaymentPageService(ctx)
  const corrections = createManualOrderCorrections(ctx, { rsvpMoney })
  const { clock, graceMs } = ctx
  const { refunds } = orders
  /** Reads with the caller's handle: in a transaction, another connection would wait for its end. */
  async function isMember(handle: Db, email: string): Promise<boolean> {
    const account = await findAccountByEmail(handle, email)
    const moment = { now: clock.now(), graceMs: graceMs() }
    const subscription = account && (await findSubscriptionView(handle, account.id, moment))
    return subscription !== null && hasRights(subscription.status)
  }
  return {
    paymentPage,
    paymentList: createPaymentListService(ctx),
    paymentActions: createPaymentActions(ctx, {
      guard,
      page: paymentPage,
      refunds,
      rsvpMoney,
      manualPayments,
      corrections,
      kinds,
    }),
    paymentReceipts: createPaymentReceipts(ctx, { receipts }),
    recording: createRecordPayments(ctx, {
      memberList,
      kinds: {
        dues: createManualDues(ctx, { manualPayments, guard }),
        seats: createManualSeats(ctx, { guard, waitlist, isMember }),
        sponsorship: createManualSponsorships(ctx, { guard }),
      },
    }),
    paymentImports: createPaymentImports(ctx, { guard }),
    subscriptionReviews: createSubscriptionReviews(ctx, { guard }),
    subscriptionImports: createSubscriptionImports(ctx, { guard }),
    subscriptionImportRun: createSubscriptionImportRun(ctx, { guard, reminders }),
    payouts: createPayoutsService(ctx),
    newLevels: createNewLevels(ctx, { content }),
    years: createYearService(ctx, { content }),
    journal: createJournalService(ctx),
    statements: createStatements(ctx),
  }
}

import {
  cancelPayment,
  exportPayments,
  getPayment,
  listPayments,
  openPaymentReceipt,
  refundPaymentPart,
  replacePayment,
  sendPaymentReceipt,
} from '#contract/console/money/payments.ts'
import { exportPayouts, getPayout, listPayouts } from '#contract/console/money/payouts.ts'
import {
  checkPayments,
  findPayers,
  getPaymentChoices,
  recordPayments,
} from '#contract/console/money/record-payments.ts'
import {
  exportJournal,
  exportYear,
  getStatements,
  getYear,
  openStatement,
  saveAccounting,
  sendStatements,
} from '#contract/console/money/year.ts'
import { downloadStatement, listStatements } from '#contract/public/billing.ts'
import { requireCaller, requireOfficer, type Server } from '#server/http/serve.ts'
import type { PaymentActions } from './payment/payment-actions.service.ts'
import type { PaymentListService } from './payment-list.service.ts'
import type { PaymentPageService } from './payment/payment-page.service.ts'
import type { PaymentReceipts } from './payment/payment-receipts.service.ts'
import type { PayoutsService } from './payouts.service.ts'
import type { JournalService } from './year/journal.service.ts'
import type { Statements } from './year/statement.service.ts'
import type { YearService } from './year/year.service.ts'
import type { RecordPayments } from './recording/record-payments.service.ts'

export interface Treasury {
  paymentList: PaymentListService
  paymentPage: PaymentPageService
  paymentActions: PaymentActions
  paymentReceipts: PaymentReceipts
  recording: RecordPayments
  payouts: PayoutsService
  years: YearService
  journal: JournalService
  statements: Statements
}

export function treasurerRoutes(server: Server, treasury: Treasury): void {
  const { paymentList, paymentPage, paymentActions, paymentReceipts, recording, payouts, years, journal, statements } =
    treasury
  server.serve(listPayments, ({ officer, query }) => paymentList.list(requireOfficer(officer), query))
  server.serveFile(exportPayments, ({ officer, query }) => paymentList.export(requireOfficer(officer), query))
  server.serve(getPaymentChoices, () => recording.choices())
  server.serve(findPayers, ({ query }) => recording.payers(query.q))
  server.serve(checkPayments, ({ officer, body }) => recording.check(requireOfficer(officer), body))
  server.serve(recordPayments, ({ officer, body }) => recording.record(requireOfficer(officer), body))

  server.serve(getPayment, ({ officer, params: { kind, id } }) =>
    paymentPage.describe(requireOfficer(officer), kind, id),
  )
  server.serve(refundPaymentPart, async ({ officer, params: { kind, id }, body }) => {
    const by = requireOfficer(officer)
    await paymentActions.refund(by, kind, id, body)
    return paymentPage.describe(by, kind, id)
  })
  server.serve(cancelPayment, async ({ officer, params: { kind, id }, body }) => {
    const by = requireOfficer(officer)
    await paymentActions.cancel(by, kind, id, body)
    return paymentPage.describe(by, kind, id)
  })
  server.serve(replacePayment, async ({ officer, params: { kind, id }, body }) => {
    const by = requireOfficer(officer)
    await paymentActions.replace(by, kind, id, body)
    return paymentPage.describe(by, kind, id)
  })
  server.serveFile(openPaymentReceipt, ({ params: { kind, id } }) => paymentReceipts.print(kind, id))
  server.serve(sendPaymentReceipt, async ({ officer, params: { kind, id } }) => ({
    email: await paymentReceipts.sendAgain(requireOfficer(officer), kind, id),
  }))

  server.serve(getYear, ({ officer, query }) => years.read(requireOfficer(officer), query))
  server.serveFile(exportYear, ({ officer, query }) => years.export(requireOfficer(officer), query))
  server.serve(saveAccounting, ({ officer, body }) => years.saveAccounting(requireOfficer(officer), body))
  server.serveFile(exportJournal, ({ officer, query }) => journal.export(requireOfficer(officer), query))
  server.serve(getStatements, ({ params }) => statements.describe(params.year))
  server.serve(sendStatements, ({ officer, params, body }) =>
    statements.send(requireOfficer(officer), params.year, body.members),
  )
  server.serveFile(openStatement, ({ params }) => statements.print(params.id, params.year))
  server.serve(listStatements, ({ caller }) => statements.years(requireCaller(caller).accountId))
  server.serveFile(downloadStatement, ({ caller, params }) =>
    statements.print(requireCaller(caller).accountId, params.year),
  )

  server.serve(listPayouts, ({ query }) => payouts.list(query.month))
  server.serve(getPayout, ({ params }) => payouts.read(params.id))
  server.serveFile(exportPayouts, ({ officer, query }) => payouts.export(requireOfficer(officer), query.month))
}

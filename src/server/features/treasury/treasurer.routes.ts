import {
  exportMonthPayments,
  exportPayouts,
  getPayout,
  listMonthPayments,
  listPayouts,
} from '#contract/console/payments.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { MonthPaymentsService } from './month-payments.service.ts'
import type { PayoutsService } from './payouts.service.ts'

export function treasurerRoutes(server: Server, payments: MonthPaymentsService, payouts: PayoutsService): void {
  server.serve(listMonthPayments, ({ officer, query }) => payments.list(requireOfficer(officer), query.month))
  server.serveFile(exportMonthPayments, ({ officer, query }) => payments.export(requireOfficer(officer), query.month))
  server.serve(listPayouts, ({ query }) => payouts.list(query.month))
  server.serve(getPayout, ({ params }) => payouts.read(params.id))
  server.serveFile(exportPayouts, ({ officer, query }) => payouts.export(requireOfficer(officer), query.month))
}

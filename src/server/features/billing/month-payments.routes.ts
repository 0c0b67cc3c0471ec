import { exportMonthPayments, listMonthPayments } from '#contract/console-payments.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { MonthPaymentsService } from './month-payments.service.ts'

export function monthPaymentsRoutes(server: Server, payments: MonthPaymentsService): void {
  server.serve(listMonthPayments, ({ officer, query }) => payments.list(requireOfficer(officer), query.month))
  server.serveFile(exportMonthPayments, ({ officer, query }) => payments.export(requireOfficer(officer), query.month))
}

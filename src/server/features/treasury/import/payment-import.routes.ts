import {
  checkPaymentFile,
  importPaymentFile,
  listPaymentImports,
  undoPaymentImport,
} from '#contract/console/money/payment-imports.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { PaymentImports } from './payment-import.service.ts'

export function paymentImportRoutes(server: Server, imports: PaymentImports): void {
  server.serve(listPaymentImports, () => imports.list())
  server.serve(undoPaymentImport, ({ officer, params }) => imports.undo(requireOfficer(officer), params.id))
}

/** Routes that read the body only after the caller is authorized. */
export function paymentUploadRoutes(server: Server, imports: PaymentImports): void {
  server.serve(checkPaymentFile, async ({ officer, query, readUpload }) =>
    imports.check(requireOfficer(officer), query, await readUpload()),
  )
  server.serve(importPaymentFile, async ({ officer, query, readUpload }) =>
    imports.import(requireOfficer(officer), query, await readUpload()),
  )
}

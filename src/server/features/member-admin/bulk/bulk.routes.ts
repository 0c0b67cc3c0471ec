import { getBulkRun, previewBulk, startBulk, undoBulk } from '#contract/console/people/member-bulk.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { BulkService } from './bulk.service.ts'

export function bulkRoutes(server: Server, bulk: BulkService): void {
  server.serve(previewBulk, ({ officer, body }) => bulk.preview(requireOfficer(officer), body))
  server.serve(startBulk, ({ officer, body }) => bulk.start(requireOfficer(officer), body))
  server.serve(getBulkRun, ({ officer, params }) => bulk.get(requireOfficer(officer), params.id))
  server.serve(undoBulk, ({ officer, params }) => bulk.undo(requireOfficer(officer), params.id))
}

import { exportAudit, listAudit } from '#contract/console/audit.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { AuditService } from './audit.service.ts'

export function auditRoutes(server: Server, audit: AuditService): void {
  server.serve(listAudit, async ({ query }) => audit.page(query))
  server.serveFile(exportAudit, ({ officer, query }) => audit.export(requireOfficer(officer), query))
}

import { countMembers, exportMembers, exportSelectedMembers, listMembers } from '#contract/console/member-list.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { MemberListService } from './member-list.service.ts'

export function memberListRoutes(server: Server, list: MemberListService): void {
  server.serve(listMembers, ({ officer, query }) => list.page(requireOfficer(officer), query))
  server.serve(countMembers, ({ officer, query }) => list.counts(requireOfficer(officer), query))
  server.serveFile(exportMembers, ({ officer, query }) => list.export(requireOfficer(officer), query))
  server.serveFile(exportSelectedMembers, ({ officer, body }) => list.exportSelected(requireOfficer(officer), body))
}

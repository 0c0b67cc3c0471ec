import {
  deleteMemberView,
  exportMembers,
  saveMemberView,
  listMembers,
  listMemberViews,
} from '#contract/console/member-list.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { MemberListService } from './member-list.service.ts'

export function memberListRoutes(server: Server, list: MemberListService): void {
  server.serve(listMembers, ({ officer, query }) => list.page(requireOfficer(officer), query))
  server.serveFile(exportMembers, ({ officer, query }) => list.export(requireOfficer(officer), query))
  server.serve(listMemberViews, async ({ officer }) => ({ views: await list.views(requireOfficer(officer)) }))
  server.serve(saveMemberView, async ({ officer, body }) => ({
    views: await list.saveView(requireOfficer(officer), body),
  }))
  server.serve(deleteMemberView, async ({ officer, params }) => ({
    views: await list.deleteView(requireOfficer(officer), params.id),
  }))
}

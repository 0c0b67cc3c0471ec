import {
  dropMemberView,
  exportMembers,
  keepMemberView,
  listMembers,
  listMemberViews,
} from '#contract/console-members.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { MemberListService } from './member-list.service.ts'

export function membersConsoleRoutes(server: Server, { list }: { list: MemberListService }): void {
  server.serve(listMembers, ({ officer, query }) => list.page(requireOfficer(officer), query))
  server.serveFile(exportMembers, ({ officer, query }) => list.export(requireOfficer(officer), query))
  server.serve(listMemberViews, async ({ officer }) => ({ views: await list.views(requireOfficer(officer)) }))
  server.serve(keepMemberView, async ({ officer, body }) => ({
    views: await list.keepView(requireOfficer(officer), body),
  }))
  server.serve(dropMemberView, async ({ officer, params }) => ({
    views: await list.dropView(requireOfficer(officer), params.id),
  }))
}

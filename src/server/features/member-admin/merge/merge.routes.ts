import { findDuplicates, mergeMembers, planMerge, undoMerge } from '#contract/console/merge.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { MemberPageService } from '../member-page.service.ts'
import type { MergePlanService } from './merge-plan.service.ts'
import type { MergeService } from './merge.service.ts'

export function mergeRoutes(
  server: Server,
  {
    merges,
    mergePlans,
    memberPage,
  }: { merges: MergeService; mergePlans: MergePlanService; memberPage: MemberPageService },
): void {
  server.serve(findDuplicates, async ({ params, query }) => ({
    duplicates: await mergePlans.duplicates(params.id, query.q),
  }))
  server.serve(planMerge, ({ officer, params }) => mergePlans.plan(requireOfficer(officer), params.id, params.other))
  server.serve(mergeMembers, async ({ officer, params, body }) => {
    const by = requireOfficer(officer)
    await merges.merge(by, { keptId: params.id, mergedId: params.other }, body)
    return memberPage.describe(by, params.id)
  })
  server.serve(undoMerge, async ({ officer, params, body }) => {
    const by = requireOfficer(officer)
    await merges.undo(by, params.id, { mergeId: params.merge, reason: body.reason })
    return memberPage.describe(by, params.id)
  })
}

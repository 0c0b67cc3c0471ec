import { getMemberTimeline } from '#contract/console/people/member-timeline.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { TimelineService } from './timeline.service.ts'

export function timelineRoutes(server: Server, timeline: TimelineService): void {
  server.serve(getMemberTimeline, ({ officer, params, query }) =>
    timeline.page(requireOfficer(officer), params.id, query),
  )
}

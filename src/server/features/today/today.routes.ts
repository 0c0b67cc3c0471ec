import { getToday } from '#contract/console/console.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { TodayService } from './today.service.ts'

export function todayRoutes(server: Server, today: TodayService): void {
  server.serve(getToday, async ({ officer }) => today.list(requireOfficer(officer)))
}

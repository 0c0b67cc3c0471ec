import { searchConsole } from '#contract/console/search.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { ConsoleSearchService } from './console-search.service.ts'

export function consoleSearchRoutes(server: Server, search: ConsoleSearchService): void {
  server.serve(searchConsole, async ({ officer, query }) => search.find(requireOfficer(officer), query.q))
}

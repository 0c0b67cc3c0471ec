import { deleteSavedView, listSavedViews, saveView } from '#contract/console/people/saved-views.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { SavedViewsService } from './saved-views.service.ts'

export function savedViewRoutes(server: Server, views: SavedViewsService): void {
  server.serve(listSavedViews, async ({ officer, query }) => ({
    views: await views.list(requireOfficer(officer), query.list),
  }))
  server.serve(saveView, async ({ officer, body }) => ({ views: await views.save(requireOfficer(officer), body) }))
  server.serve(deleteSavedView, async ({ officer, params }) => ({
    views: await views.delete(requireOfficer(officer), params.id),
  }))
}

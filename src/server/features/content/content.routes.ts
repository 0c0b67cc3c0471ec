import {
  deleteContent,
  getContent,
  listAllContent,
  listContent,
  listContentKinds,
  previewMarkdown,
  restoreContent,
  saveContent,
  unpublishContent,
} from '#contract/console/content.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import { renderMarkdown } from '#server/features/content-store/markdown.rules.ts'
import type { ContentService } from './content.service.ts'

export function contentRoutes(server: Server, content: ContentService): void {
  server.serve(listContentKinds, async () => content.kinds())
  server.serve(listAllContent, async ({ query }) => content.listAll(query))
  server.serve(listContent, async ({ params, query }) => content.list(params.kind, query))
  server.serve(getContent, async ({ officer, params }) => content.get(params, requireOfficer(officer)))
  server.serve(saveContent, async ({ officer, params, body }) => content.save(requireOfficer(officer), params, body))
  server.serve(restoreContent, async ({ officer, params, body }) =>
    content.restore(requireOfficer(officer), params, body),
  )
  server.serve(unpublishContent, async ({ officer, params, body }) =>
    content.unpublish(requireOfficer(officer), params, body),
  )
  server.serve(deleteContent, async ({ officer, params, query }) =>
    content.remove(requireOfficer(officer), params, query),
  )
  server.serve(previewMarkdown, async ({ body }) => ({ html: renderMarkdown(body.markdown) }))
}

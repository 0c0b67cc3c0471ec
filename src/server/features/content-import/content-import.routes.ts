import {
  checkContentImport,
  confirmContentImport,
  deleteContentImport,
  getContentImport,
  listContentImports,
  undoContentImport,
} from '#contract/console/website/content-import.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { ContentImportService } from './content-import.service.ts'

export function contentImportRoutes(server: Server, imports: ContentImportService): void {
  server.serve(listContentImports, async () => ({ imports: await imports.list() }))
  server.serve(getContentImport, ({ params, query }) => imports.describe(params.id, query))
  server.serve(confirmContentImport, ({ officer, params, body }) =>
    imports.confirm(requireOfficer(officer), params.id, body),
  )
  server.serve(undoContentImport, ({ officer, params }) => imports.undo(requireOfficer(officer), params.id))
  server.serve(deleteContentImport, ({ params }) => imports.discard(params.id))
}

/** Routes whose request body is read only after authorization. */
export function contentImportUploadRoutes(server: Server, imports: ContentImportService): void {
  server.serve(checkContentImport, async ({ officer, query, readUpload }) =>
    imports.check(requireOfficer(officer), query.filename, await readUpload()),
  )
}

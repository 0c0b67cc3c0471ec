import {
  checkImport,
  confirmImport,
  dropImport,
  getImport,
  getWrongRows,
  listImports,
  undoImport,
} from '#contract/console-import.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { MemberImportService } from './member-import.service.ts'

export function memberImportRoutes(server: Server, imports: MemberImportService): void {
  server.serve(listImports, async () => ({ imports: await imports.list() }))
  server.serve(getImport, ({ params }) => imports.describe(params.id))
  server.serve(confirmImport, ({ officer, params, body }) => imports.confirm(requireOfficer(officer), params.id, body))
  server.serve(undoImport, ({ officer, params }) => imports.undo(requireOfficer(officer), params.id))
  server.serve(dropImport, ({ params }) => imports.drop(params.id))
  server.serveFile(getWrongRows, ({ params }) => imports.wrongRows(params.id))
}

/** Where bodies are left unread until the caller was let in. */
export function memberImportUploads(server: Server, imports: MemberImportService): void {
  server.serve(checkImport, async ({ officer, query, readUpload }) =>
    imports.check(requireOfficer(officer), query.filename, await readUpload()),
  )
}

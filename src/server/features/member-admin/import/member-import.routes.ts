import {
  checkImport,
  chooseImportColumns,
  chooseImportLevels,
  confirmImport,
  correctImportRow,
  deleteImport,
  getImport,
  exportInvalidRows,
  listImports,
  undoImport,
} from '#contract/console/import.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { MemberImportService } from './member-import.service.ts'
import type { ImportReports } from './review/import-report.service.ts'

export function memberImportRoutes(
  server: Server,
  { imports, reports }: { imports: MemberImportService; reports: ImportReports },
): void {
  server.serve(listImports, async () => ({ imports: await reports.list() }))
  server.serve(getImport, ({ params }) => reports.describe(params.id))
  server.serve(confirmImport, ({ officer, params, body }) => imports.confirm(requireOfficer(officer), params.id, body))
  server.serve(chooseImportColumns, ({ params, body }) => imports.chooseColumns(params.id, body))
  server.serve(chooseImportLevels, ({ params, body }) => imports.chooseLevels(params.id, body))
  server.serve(correctImportRow, ({ params, body }) => imports.correct(params.id, Number(params.line), body))
  server.serve(undoImport, ({ officer, params }) => imports.undo(requireOfficer(officer), params.id))
  server.serve(deleteImport, ({ params }) => imports.discard(params.id))
  server.serveFile(exportInvalidRows, ({ params }) => reports.invalidRows(params.id))
}

/** Routes whose request body is read only after authorization. */
export function memberImportUploadRoutes(server: Server, imports: MemberImportService): void {
  server.serve(checkImport, async ({ officer, query, readUpload }) =>
    imports.check(requireOfficer(officer), query.filename, await readUpload()),
  )
}

import {
  exportMemberReportCsv,
  exportMemberReportPdf,
  getHomeFigures,
  getMemberReport,
} from '#contract/console/reports.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { HomeFiguresService } from './home-figures.service.ts'
import type { MemberReportService } from './member-report.service.ts'

interface ReportServices {
  homeFigures: HomeFiguresService
  memberReport: MemberReportService
}

export function reportsRoutes(server: Server, { homeFigures, memberReport }: ReportServices): void {
  server.serve(getHomeFigures, async ({ officer }) => homeFigures.find(requireOfficer(officer)))
  server.serve(getMemberReport, async () => memberReport.report())
  server.serveFile(exportMemberReportCsv, async ({ officer }) => memberReport.csv(requireOfficer(officer)))
  server.serveFile(exportMemberReportPdf, async ({ officer }) => memberReport.pdf(requireOfficer(officer)))
}

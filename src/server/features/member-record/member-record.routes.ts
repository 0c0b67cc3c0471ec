import { editMemberRecord, getMemberRecord } from '#contract/console/people/member-record.ts'
import { confirmRecord, getRecord, seeRecordAs, updateRecord } from '#contract/public/my-account/member-record.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import { signedIn } from '#server/http/signed-in.ts'
import type { MemberRecordService } from './member-record.service.ts'

export function memberRecordRoutes(server: Server, records: MemberRecordService): void {
  server.serve(getRecord, ({ caller }) => records.own(signedIn(caller).accountId, caller?.viewer !== undefined))
  server.serve(updateRecord, ({ caller, body }) => records.change(signedIn(caller).accountId, body))
  server.serve(confirmRecord, ({ caller, body }) => records.confirm(signedIn(caller).accountId, body.version))
  server.serve(seeRecordAs, async ({ caller, params }) => ({
    values: await records.seenAs(signedIn(caller).accountId, params.viewer),
  }))
  server.serve(getMemberRecord, ({ officer, params }) => records.describe(requireOfficer(officer), params.id))
  server.serve(editMemberRecord, ({ officer, params, body }) => records.edit(requireOfficer(officer), params.id, body))
}

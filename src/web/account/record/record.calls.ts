import {
  confirmRecord,
  getRecord,
  seeRecordAs,
  updateRecord,
  type AccountRecord,
  type RecordViewer,
  type VisibleValue,
} from '#contract/public/my-account/member-record.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { callAsMember } from '#web/session/call-as-member.ts'

/** @throws {CallFailure} */
export function readRecord(): Promise<AccountRecord> {
  return callAsMember(getRecord)
}

/** @throws {CallFailure} PROFILE_CHANGED if the record differs from the version */
export function saveRecord(body: BodyOf<typeof updateRecord>): Promise<AccountRecord> {
  return callAsMember(updateRecord, { body })
}

/** @throws {CallFailure} */
export function confirmAll(version: string): Promise<AccountRecord> {
  return callAsMember(confirmRecord, { body: { version } })
}

/** @throws {CallFailure} */
export async function readSeenAs(viewer: RecordViewer): Promise<VisibleValue[]> {
  return (await callAsMember(seeRecordAs, { params: { viewer } })).values
}

import type { ReplyOf } from '#contract/endpoint.ts'
import { listOwnRolls, objectToRoll, readRoll, type OwnRoll } from '#contract/public/my-account/own-rolls.ts'
import { callAsMember } from '#web/session/call-as-member.ts'

/** @throws {CallFailure} */
export async function readOwnRolls(): Promise<OwnRoll[]> {
  return (await callAsMember(listOwnRolls)).rolls
}

/** @throws {CallFailure} for a roll that the member is not on */
export function readRollPage(id: string, page: number): Promise<ReplyOf<typeof readRoll>> {
  return callAsMember(readRoll, { params: { id }, query: { page: String(page) } })
}

/** @throws {CallFailure} */
export async function sendObjection(id: string, text: string): Promise<OwnRoll[]> {
  return (await callAsMember(objectToRoll, { params: { id }, body: { text } })).rolls
}

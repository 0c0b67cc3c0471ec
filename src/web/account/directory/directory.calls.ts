import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import {
  getDirectoryEntry,
  reportDirectoryMessage,
  searchDirectory,
  sendDirectoryMessage,
} from '#contract/public/my-account/directory.ts'
import {
  getDirectoryChoice,
  setDirectoryChoice,
  type DirectoryChoice,
} from '#contract/public/my-account/directory-choice.ts'
import { callAsMember } from '#web/session/call-as-member.ts'

export type FoundPeople = ReplyOf<typeof searchDirectory>
export type ShownEntry = ReplyOf<typeof getDirectoryEntry>

/** @throws {CallFailure} */
export function findPeople(query: Record<string, string>): Promise<FoundPeople> {
  const { page = '1', ...rest } = query
  return callAsMember(searchDirectory, { query: { ...rest, page } })
}

/** @throws {CallFailure} NOT_FOUND for someone who is no longer listed */
export function readEntry(id: string): Promise<ShownEntry> {
  return callAsMember(getDirectoryEntry, { params: { id } })
}

/** @throws {CallFailure} */
export async function sendMessage(id: string, body: BodyOf<typeof sendDirectoryMessage>): Promise<void> {
  await callAsMember(sendDirectoryMessage, { params: { id }, body })
}

/** @throws {CallFailure} */
export async function reportMessage(id: string): Promise<void> {
  await callAsMember(reportDirectoryMessage, { params: { id } })
}

/** @throws {CallFailure} */
export function readChoice(): Promise<DirectoryChoice> {
  return callAsMember(getDirectoryChoice)
}

/** @throws {CallFailure} */
export function saveChoice(body: BodyOf<typeof setDirectoryChoice>): Promise<DirectoryChoice> {
  return callAsMember(setDirectoryChoice, { body })
}

import * as z from 'zod/mini'
import { consoleMember } from './console-member.ts'
import { memberState } from './console-members.ts'
import { endpoint } from './endpoint.ts'
import { lineField } from './fields.ts'
import { messages } from './messages.ts'

/** Two accounts of one person made into one, and taken apart again. Instants are ISO 8601. */

/** Days a merge can be undone. */
export const MERGE_UNDO_DAYS = 30

const id = lineField(messages.text.unreadable, 64)
const pair = z.object({ id, other: id })

const duplicate = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  state: memberState,
  joinedAt: z.string(),
  /** Why it may be the same person: 'the same name'. Empty for what was searched for. */
  reasons: z.array(z.string()),
})
export type Duplicate = z.infer<typeof duplicate>

const side = z.object({
  id: z.string(),
  email: z.string(),
  username: z.string(),
  name: z.object({ first: z.string(), last: z.string() }),
  state: memberState,
  joinedAt: z.string(),
  /** 'Annual Member until March 2, 2027'. */
  membership: z.string(),
})
export type MergeSide = z.infer<typeof side>

const whose = z.enum(['kept', 'merged'])
export type Whose = z.infer<typeof whose>

/** The log-in address, username and password of the account that stays are not for an officer to choose. */
const choices = z.object({ name: whose })
export type MergeChoices = z.infer<typeof choices>

const mergePlan = z.object({
  kept: side,
  merged: side,
  /** What moves, such as '3 payments'. */
  moves: z.array(z.string()),
  /** What happens besides, and what does not move, each a sentence. */
  notes: z.array(z.string()),
  /** Why it cannot be done as things are, each with what to do first. */
  obstacles: z.array(z.string()),
  /** What both were when this was read. */
  version: z.string(),
})
export type MergePlan = z.infer<typeof mergePlan>

const forOfficers = { access: 'officer', permission: 'members.change' } as const

export const findDuplicates = endpoint({
  ...forOfficers,
  name: 'findDuplicates',
  method: 'GET',
  path: '/api/console/members/:id/duplicates',
  summary: 'Accounts that may be the same person, or those that fit a search by name, address or NPI',
  params: z.object({ id }),
  query: z.object({ q: z.optional(lineField(messages.text.unreadable, 100)) }),
  reply: z.object({ duplicates: z.array(duplicate) }),
  failures: ['NOT_FOUND'],
})

export const planMerge = endpoint({
  ...forOfficers,
  name: 'planMerge',
  method: 'GET',
  path: '/api/console/members/:id/merge/:other',
  summary: 'What would move to this account and what stands in the way; changes nothing',
  params: pair,
  reply: mergePlan,
  failures: ['NOT_FOUND'],
})

export const mergeMembers = endpoint({
  ...forOfficers,
  name: 'mergeMembers',
  method: 'POST',
  path: '/api/console/members/:id/merge/:other',
  asksAgain: true,
  summary: 'Moves everything of the other account to this one; nobody logs in with the other any more',
  params: pair,
  body: z.object({ choices, reason: lineField('Please give a reason for the audit log', 300), version: z.string() }),
  reply: consoleMember,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'MERGE_REFUSED', 'OWN_ACCOUNT', 'OFFICER_ACCOUNT'],
})

export const undoMerge = endpoint({
  ...forOfficers,
  name: 'undoMerge',
  method: 'POST',
  path: '/api/console/members/:id/merges/:merge/undo',
  asksAgain: true,
  summary: 'Separates two accounts again; both are signed out everywhere. Returns the account it was asked for',
  params: z.object({ id, merge: id }),
  body: z.object({ reason: lineField('Please give a reason for the audit log', 300) }),
  reply: consoleMember,
  failures: ['NOT_FOUND', 'UNDO_REFUSED', 'OWN_ACCOUNT', 'OFFICER_ACCOUNT'],
})

import * as z from 'zod/mini'
import { consoleMember } from './member.ts'
import { memberState } from './member-list.ts'
import { endpoint } from '../endpoint.ts'
import { lineField } from '../fields.ts'
import { messages } from '../messages.ts'

/** Merging two accounts of one person, and undoing it. Instants are ISO 8601. */

/** Days within which a merge can be undone. */
export const MERGE_UNDO_DAYS = 30

const id = lineField(messages.text.unreadable, 64)
const pair = z.object({ id, other: id })

const duplicate = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  state: memberState,
  joinedAt: z.string(),
  /** Why it may be the same person, such as 'the same name'. Empty for search results. */
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
export type MergeSource = z.infer<typeof whose>

/** Officers cannot choose the address, username and password: those of the kept account stay. */
const choices = z.object({ name: whose })
export type MergeChoices = z.infer<typeof choices>

const mergePlan = z.object({
  kept: side,
  merged: side,
  /** What moves, such as '3 payments'. */
  moves: z.array(z.string()),
  /** Other effects, and what does not move, one sentence each. */
  notes: z.array(z.string()),
  /** Why the accounts cannot be merged, each with what to do first. */
  obstacles: z.array(z.string()),
  /** Optimistic-lock token of both accounts. */
  version: z.string(),
})
export type MergePlan = z.infer<typeof mergePlan>

const forOfficers = { access: 'officer', permission: 'members.change' } as const

export const findDuplicates = endpoint({
  ...forOfficers,
  name: 'findDuplicates',
  method: 'GET',
  path: '/api/console/members/:id/duplicates',
  summary:
    'Find accounts that may belong to the same person, or that match a search by name, address or the number of credentials',
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
  summary: 'Preview what would move to this account and what prevents a merge; changes nothing',
  params: pair,
  reply: mergePlan,
  failures: ['NOT_FOUND'],
})

export const mergeMembers = endpoint({
  ...forOfficers,
  name: 'mergeMembers',
  method: 'POST',
  path: '/api/console/members/:id/merge/:other',
  requiresFreshFactor: true,
  summary: 'Move everything from the other account to this one; the other one can no longer log in',
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
  requiresFreshFactor: true,
  summary: 'Undo a merge; both accounts are logged out everywhere. Returns the requested account',
  params: z.object({ id, merge: id }),
  body: z.object({ reason: lineField('Please give a reason for the audit log', 300) }),
  reply: consoleMember,
  failures: ['NOT_FOUND', 'UNDO_REFUSED', 'OWN_ACCOUNT', 'OFFICER_ACCOUNT'],
})

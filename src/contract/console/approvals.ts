import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { lineField } from '../fields.ts'
import { messages } from '../messages.ts'

/** Requests of an officer that take effect only when a second officer approves them (decision record 28). Instants are ISO 8601. */

export const APPROVAL_ACTS = ['member.change_email', 'member.end'] as const
export type ApprovalAct = (typeof APPROVAL_ACTS)[number]

export const APPROVAL_STATES = ['waiting', 'approved', 'declined', 'withdrawn', 'expired'] as const
export type ApprovalState = (typeof APPROVAL_STATES)[number]

/** Days until a pending request expires. */
export const APPROVAL_DAYS = 7

const approval = z.object({
  id: z.string(),
  act: z.enum(APPROVAL_ACTS),
  state: z.enum(APPROVAL_STATES),
  /** Such as 'Change the email address of Meera Rao'. */
  title: z.string(),
  /** What will happen, one sentence each; only while the request is pending. */
  sentences: z.array(z.string()),
  /** The member it concerns. */
  subject: z.object({ id: z.string(), name: z.string() }),
  reason: z.string(),
  askedBy: z.string(),
  askedAt: z.string(),
  expiresAt: z.string(),
  decidedBy: z.nullable(z.string()),
  decidedAt: z.nullable(z.string()),
  /** Why it was declined. */
  note: z.nullable(z.string()),
  mayApprove: z.boolean(),
  mayDecline: z.boolean(),
  mayWithdraw: z.boolean(),
  /** Identifies the state that the sentences describe. Approval must send it, so that an outdated request cannot be approved. */
  version: z.string(),
})
export type Approval = z.infer<typeof approval>

const approvalList = z.object({
  /** Pending ones, oldest first, then recently decided ones, newest first. */
  approvals: z.array(approval),
})

const params = z.object({ id: lineField(messages.text.unreadable, 64) })

/** Officers who manage roles see all requests, others only their own. */
export const listApprovals = endpoint({
  name: 'listApprovals',
  method: 'GET',
  path: '/api/console/approvals',
  access: 'officer',
  permission: 'console.look',
  summary: 'List requests that need a second officer, and those decided in the last 30 days',
  reply: approvalList,
  failures: [],
})

export const approveRequest = endpoint({
  name: 'approveRequest',
  method: 'POST',
  path: '/api/console/approvals/:id/approve',
  access: 'officer',
  permission: 'officers.change',
  requiresFreshFactor: true,
  summary: 'Approve another officer’s request and carry it out',
  params,
  body: z.object({ version: z.string() }),
  reply: approvalList,
  failures: [
    'NOT_FOUND',
    'CHANGED_MEANWHILE',
    'APPROVAL_OWN',
    'APPROVAL_CLOSED',
    'APPROVAL_STALE',
    'ACCOUNT_CLOSED',
    'IS_MERGED',
    'LAST_PRESIDENT',
    'ENDING_UNDER_WAY',
    'PROVIDER_FAILED',
  ],
})

export const declineRequest = endpoint({
  name: 'declineRequest',
  method: 'POST',
  path: '/api/console/approvals/:id/decline',
  access: 'officer',
  permission: 'officers.change',
  summary: 'Decline another officer’s request; that officer is emailed the reason',
  params,
  body: z.object({ reason: lineField('Please enter the reason for the officer who asked', 300) }),
  reply: approvalList,
  failures: ['NOT_FOUND', 'APPROVAL_OWN', 'APPROVAL_CLOSED'],
})

export const withdrawRequest = endpoint({
  name: 'withdrawRequest',
  method: 'POST',
  path: '/api/console/approvals/:id/withdraw',
  access: 'officer',
  permission: 'console.look',
  summary: 'Withdraw one’s own pending request',
  params,
  body: z.object({}),
  reply: approvalList,
  failures: ['NOT_FOUND', 'APPROVAL_CLOSED'],
})

import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { lineField, user } from '../fields.ts'
import { messages } from '../messages.ts'

/** Viewing the site as a member, for an officer who wants to help: read-only, limited to 15 minutes, and recorded (decision record 18). */

const id = lineField(messages.text.unreadable, 64)

export const viewAs = z.object({
  id: z.string(),
  /** Sent in place of the officer's own token. It reads as the member and cannot change anything. */
  token: z.string(),
  /** When it expires, ISO 8601. */
  until: z.string(),
  member: user,
})
export type ViewAs = z.infer<typeof viewAs>

export const beginViewAs = endpoint({
  name: 'beginViewAs',
  method: 'POST',
  path: '/api/console/members/:id/view-as',
  access: 'officer',
  permission: 'members.view_as',
  requiresFreshFactor: true,
  summary: 'Start viewing the site as a member; the reason is recorded and part of the member’s data download',
  params: z.object({ id }),
  body: z.object({ reason: lineField('Please enter a reason; the member can read it', 300) }),
  reply: viewAs,
  status: 201,
  failures: ['NOT_FOUND', 'ACCOUNT_CLOSED', 'VIEW_OF_OFFICER'],
})

/** No-op if the view has already ended. */
export const endViewAs = endpoint({
  name: 'endViewAs',
  method: 'DELETE',
  path: '/api/console/view-as/:id',
  access: 'officer',
  permission: 'members.view_as',
  summary: 'End one’s own view as a member',
  params: z.object({ id }),
  status: 204,
  failures: [],
})

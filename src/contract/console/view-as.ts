import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { lineField, user } from './fields.ts'
import { messages } from './messages.ts'

/** The site as a member sees it, for an officer who wants to help: read-only, for a quarter of an hour, written down (decision record 18). */

const id = lineField(messages.text.unreadable, 64)

export const viewAs = z.object({
  id: z.string(),
  /** Sent in place of the officer's own, it reads as the member and changes nothing. */
  token: z.string(),
  /** When it ends by itself, ISO 8601. */
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
  asksAgain: true,
  summary:
    'Opens the site as a member sees it; the reason is kept, and the member finds it in the download of their data',
  params: z.object({ id }),
  body: z.object({ reason: lineField('Please say why; the member can read it', 300) }),
  reply: viewAs,
  status: 201,
  failures: ['NOT_FOUND', 'ACCOUNT_CLOSED', 'VIEW_OF_OFFICER'],
})

/** One that is over already is no failure: whoever leaves has left. */
export const endViewAs = endpoint({
  name: 'endViewAs',
  method: 'DELETE',
  path: '/api/console/view-as/:id',
  access: 'officer',
  permission: 'members.view_as',
  summary: 'Leaves a view of one’s own',
  params: z.object({ id }),
  status: 204,
  failures: [],
})

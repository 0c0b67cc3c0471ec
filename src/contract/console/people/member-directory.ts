import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'

const memberDirectory = z.object({
  /** What the member chose. */
  inMembers: z.boolean(),
  inPublic: z.boolean(),
  /** Whether the entry is shown now: membership and credentials count too. */
  isShownToMembers: z.boolean(),
  isShownToPublic: z.boolean(),
  mayRemove: z.boolean(),
})
export type MemberDirectory = z.infer<typeof memberDirectory>

const params = z.object({ id: z.string() })

export const getMemberDirectory = endpoint({
  name: 'getMemberDirectory',
  method: 'GET',
  path: '/api/console/members/:id/directory',
  access: 'officer',
  permission: 'members.look',
  summary: 'Whether a member is listed in the directory',
  params,
  reply: memberDirectory,
  failures: ['NOT_FOUND'],
})

export const removeFromDirectory = endpoint({
  name: 'removeFromDirectory',
  method: 'POST',
  path: '/api/console/members/:id/directory/remove',
  access: 'officer',
  permission: 'members.change',
  summary: 'Take a member out of the directory; only the member can return',
  params,
  reply: memberDirectory,
  failures: ['NOT_FOUND', 'OWN_ACCOUNT'],
})

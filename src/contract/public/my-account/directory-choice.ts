import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'

/** What a member chose about the directory. Off until the member turns it on. */

const flag = z.boolean(messages.text.unreadable)

const choice = z.object({
  /** Listed for members. */
  inMembers: flag,
  /** Listed on the public page. */
  inPublic: flag,
  /** Whether other members may send messages, without seeing the address. */
  takesMessages: flag,
})

const directoryChoice = z.extend(choice, {
  /** Of the entry; null while it is not shown to members. */
  entryId: z.nullable(z.string()),
  /** Whether the association has a public page at all. */
  hasPublicPage: z.boolean(),
  /** Whether the public page shows the entry now. */
  isPublicNow: z.boolean(),
})
export type DirectoryChoice = z.infer<typeof directoryChoice>

export const getDirectoryChoice = endpoint({
  name: 'getDirectoryChoice',
  method: 'GET',
  path: '/api/account/directory',
  access: 'member',
  inView: 'members.look',
  summary: 'What the caller chose about the directory',
  reply: directoryChoice,
  failures: [],
})

export const setDirectoryChoice = endpoint({
  name: 'setDirectoryChoice',
  method: 'PUT',
  path: '/api/account/directory',
  access: 'member',
  summary: 'Choose whether the caller is listed in the directory',
  body: choice,
  reply: directoryChoice,
  failures: [],
})

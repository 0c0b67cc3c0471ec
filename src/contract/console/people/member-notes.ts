import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { lineField, textField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'

/** Officers' notes about a member. Officers with `members.look` read them; the member gets them with a download of the personal data. */

export const NOTE_KINDS = ['note', 'call'] as const
export type NoteKind = (typeof NOTE_KINDS)[number]

export const NOTE_MAX = 2_000
/** How long a deleted note can be restored. */
export const NOTE_RESTORE_HOURS = 24

export const memberNote = z.object({
  id: z.string(),
  kind: z.enum(NOTE_KINDS),
  text: z.string(),
  by: z.string(),
  at: z.string(),
  editedAt: z.nullable(z.string()),
  /** Sent back by a change, which is refused when it is outdated. */
  version: z.int(),
  /** Only the author edits a note; the author and the president delete it. */
  mayEdit: z.boolean(),
  mayDelete: z.boolean(),
})
export type MemberNote = z.infer<typeof memberNote>

const id = lineField(messages.text.unreadable, 64)
export const noteText = textField(
  { required: 'Please write the note', short: 'Please write the note', long: 'Please use at most 2,000 characters' },
  { min: 1, max: NOTE_MAX },
)
const forOfficers = { access: 'officer', permission: 'members.change', reply: memberNote } as const

export const addMemberNote = endpoint({
  ...forOfficers,
  name: 'addMemberNote',
  method: 'POST',
  path: '/api/console/members/:id/notes',
  summary: 'Add a note about a member, or what was said on the phone',
  params: z.object({ id }),
  body: z.object({ kind: z.enum(NOTE_KINDS), text: noteText }),
  status: 201,
  failures: ['NOT_FOUND', 'OWN_ACCOUNT', 'ACCOUNT_CLOSED'],
})

const oneNote = { ...forOfficers, params: z.object({ id, note: id }) } as const

export const editMemberNote = endpoint({
  ...oneNote,
  name: 'editMemberNote',
  method: 'PUT',
  path: '/api/console/members/:id/notes/:note',
  summary: 'Change the text of a note; only its author may',
  body: z.object({ text: noteText, version: z.int() }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'OWN_ACCOUNT'],
})

export const deleteMemberNote = endpoint({
  ...oneNote,
  name: 'deleteMemberNote',
  method: 'DELETE',
  path: '/api/console/members/:id/notes/:note',
  summary: 'Delete a note; it can be restored for a day. Idempotent',
  failures: ['NOT_FOUND', 'OWN_ACCOUNT'],
})

export const restoreMemberNote = endpoint({
  ...oneNote,
  name: 'restoreMemberNote',
  method: 'POST',
  path: '/api/console/members/:id/notes/:note/restore',
  summary: 'Restore a note deleted within the last day. Idempotent',
  body: z.object({}),
  failures: ['NOT_FOUND', 'OWN_ACCOUNT'],
})

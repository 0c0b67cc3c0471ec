import {
  addMemberNote,
  deleteMemberNote,
  editMemberNote,
  restoreMemberNote,
} from '#contract/console/people/member-notes.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { NoteService } from './note.service.ts'

export function noteRoutes(server: Server, notes: NoteService): void {
  const one = ({ id, note }: { id: string; note: string }) => ({ accountId: id, noteId: note })
  server.serve(addMemberNote, ({ officer, params, body }) => notes.add(requireOfficer(officer), params.id, body))
  server.serve(editMemberNote, ({ officer, params, body }) => notes.edit(requireOfficer(officer), one(params), body))
  server.serve(deleteMemberNote, ({ officer, params }) => notes.delete(requireOfficer(officer), one(params)))
  server.serve(restoreMemberNote, ({ officer, params }) => notes.restore(requireOfficer(officer), one(params)))
}

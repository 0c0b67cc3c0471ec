import type { AppContext } from '#server/app-context.ts'
import { NOTE_RESTORE_HOURS, type MemberNote, type NoteKind } from '#contract/console/people/member-notes.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { AuditAction } from '#server/audit-log/audit-actions.rules.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Officer } from '#server/http/serve.ts'
import { newId } from '#server/lib/ids.ts'
import { Problem } from '#server/lib/problem.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import type { OfficerAct } from '#server/features/officers/officer-acts.rules.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { findNote, type SignedNote } from './note.queries.ts'
import { changeNoteText, insertNotes, markNoteDeleted } from './note.repository.ts'

const RESTORE_MS = NOTE_RESTORE_HOURS * 3_600_000

interface OneNote {
  accountId: string
  noteId: string
}

/** Officers' notes about members. The audit log says who wrote, changed and deleted one, but not its text: a deleted note leaves nothing behind. */
export function createNoteService({ db, clock }: AppContext, { guard }: { guard: ActAuthorizer }) {
  async function requireNote(handle: Db, one: OneNote): Promise<SignedNote> {
    const note = await findNote(handle, one)
    if (!note) throw new Problem('NOT_FOUND')
    return note
  }

  /** Runs one change of a note, with the account locked, and returns the note after it. */
  function change(
    by: Officer,
    { name, ...one }: OneNote & { name: OfficerAct },
    act: (tx: Tx, note: SignedNote, now: number) => Promise<AuditAction | null>,
  ): Promise<MemberNote> {
    return db.transaction().execute(async (tx) => {
      const now = clock.now()
      await lockAccount(tx, one.accountId)
      await guard.require(tx, { act: name, by: by.accountId, on: one.accountId })
      const action = await act(tx, await requireNote(tx, one), now)
      if (action !== null) await writeAudit(tx, { actor: by.accountId, action, subjectId: one.accountId }, now)
      return toNote(await requireNote(tx, one), by)
    })
  }

  return {
    /** @throws Problem NOT_FOUND, OWN_ACCOUNT, ACCOUNT_CLOSED for an account that was deleted */
    add(by: Officer, accountId: string, { kind, text }: { kind: NoteKind; text: string }): Promise<MemberNote> {
      return db.transaction().execute(async (tx) => {
        const now = clock.now()
        await lockAccount(tx, accountId)
        const account = await findAccount(tx, accountId)
        if (!account) throw new Problem('NOT_FOUND')
        await guard.require(tx, { act: 'addMemberNote', by: by.accountId, on: accountId })
        if (account.deactivatedBy === 'self') {
          throw new Problem('ACCOUNT_CLOSED', { message: 'This account was deleted, and its notes with it.' })
        }
        const id = newId(now)
        await insertNotes(tx, [{ id, accountId, kind, text, writtenBy: by.accountId, writtenAt: now, runId: null }])
        await writeAudit(tx, { actor: by.accountId, action: 'note.added', subjectId: accountId }, now)
        return toNote(await requireNote(tx, { accountId, noteId: id }), by)
      })
    },

    /** @throws Problem NOT_FOUND also for the note of another officer, CHANGED_MEANWHILE, OWN_ACCOUNT */
    edit: (by: Officer, one: OneNote, { text, version }: { text: string; version: number }): Promise<MemberNote> =>
      change(by, { ...one, name: 'editMemberNote' }, async (tx, note, now) => {
        if (note.writtenBy !== by.accountId) throw new Problem('NOT_FOUND')
        if (note.text === text && note.deletedAt === null) return null
        if (!(await changeNoteText(tx, { id: note.id, text, version }, now))) throw new Problem('CHANGED_MEANWHILE')
        return 'note.changed'
      }),

    /** Can be restored for a day. @throws Problem NOT_FOUND also for a note that this officer may not delete, OWN_ACCOUNT */
    delete: (by: Officer, one: OneNote): Promise<MemberNote> =>
      change(by, { ...one, name: 'deleteMemberNote' }, async (tx, note, now) => {
        if (!mayDelete(note, by)) throw new Problem('NOT_FOUND')
        return (await markNoteDeleted(tx, note.id, now)) ? 'note.deleted' : null
      }),

    /** @throws Problem NOT_FOUND also when it was deleted more than a day ago, OWN_ACCOUNT */
    restore: (by: Officer, one: OneNote): Promise<MemberNote> =>
      change(by, { ...one, name: 'restoreMemberNote' }, async (tx, note, now) => {
        const isLate = note.deletedAt !== null && note.deletedAt < now - RESTORE_MS
        if (!mayDelete(note, by) || isLate) throw new Problem('NOT_FOUND')
        return (await markNoteDeleted(tx, note.id, null)) ? 'note.restored' : null
      }),
  }
}

export type NoteService = ReturnType<typeof createNoteService>

function mayDelete({ writtenBy }: SignedNote, { accountId, permissions }: Officer): boolean {
  return writtenBy === accountId || permissions.includes('officers.change')
}

/** A note as this officer sees it. */
export function toNote(note: SignedNote, by: Officer): MemberNote {
  const mayWrite = by.permissions.includes('members.change') && note.accountId !== by.accountId
  return {
    id: note.id,
    kind: note.kind,
    text: note.text,
    by: note.authorName ?? 'A former member',
    at: new Date(note.writtenAt).toISOString(),
    editedAt: note.editedAt === null ? null : new Date(note.editedAt).toISOString(),
    version: note.version,
    mayEdit: mayWrite && note.writtenBy === by.accountId,
    mayDelete: mayWrite && mayDelete(note, by),
  }
}

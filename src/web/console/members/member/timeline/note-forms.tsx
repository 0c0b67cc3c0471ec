import { useState } from 'react'
import {
  addMemberNote,
  editMemberNote,
  NOTE_MAX,
  type MemberNote,
  type NoteKind,
} from '#contract/console/people/member-notes.ts'
import { officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { DraftFormMessages } from '#web/console/forms/draft-form-messages.tsx'
import { useDraftForm } from '#web/console/forms/use-draft-form.ts'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/field.tsx'

const FIELDS = { text: 'Note' }
const HINT = 'Officers see it, and the member can ask to read it. Don’t add health information.'

/** Adds a note, or what was said on the phone. What is typed survives a closed tab. */
export function AddNoteForm({ id, onAdded }: { id: string; onAdded(note: MemberNote): void }) {
  const [kind, setKind] = useState<NoteKind>('note')
  const form = useDraftForm(`note:${id}`, {
    fields: FIELDS,
    errorMessage: officerErrorMessage,
    async send({ text }) {
      onAdded(await saveAsOfficer(addMemberNote, { params: { id }, body: { kind, text } }))
      setKind('note')
    },
  })
  return (
    <form {...form.props} className="note-form">
      <DraftFormMessages form={form} />
      <TextArea {...form.field('text')} id="new-note" label="Add a note" rows={2} maxLength={NOTE_MAX} hint={HINT} />
      <div className="buttons">
        <Button type="submit" variant="line" size="small" busy={form.isSubmitting} busyLabel="Adding">
          Add note
        </Button>
        <label className="check">
          <input
            type="checkbox"
            checked={kind === 'call'}
            onChange={({ target }) => setKind(target.checked ? 'call' : 'note')}
          />
          This was a phone call
        </label>
      </div>
    </form>
  )
}

export function EditNoteForm({
  id,
  note,
  onDone,
}: {
  id: string
  note: MemberNote
  /** @param isChanged whether it was saved */
  onDone(isChanged: boolean): void
}) {
  const form = useDraftForm(`note:${id}:${note.id}`, {
    fields: FIELDS,
    saved: { text: note.text },
    errorMessage: officerErrorMessage,
    async send({ text }) {
      const body = { text, version: note.version }
      await saveAsOfficer(editMemberNote, { params: { id, note: note.id }, body })
      onDone(true)
    },
  })
  return (
    <form {...form.props} className="note-form">
      <DraftFormMessages form={form} />
      <TextArea {...form.field('text')} id={`note-${note.id}`} rows={3} maxLength={NOTE_MAX} hint={HINT} />
      <div className="buttons">
        <Button type="submit" variant="line" size="small" busy={form.isSubmitting} busyLabel="Saving">
          Save note
        </Button>
        <Button variant="line" size="small" onClick={() => onDone(false)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

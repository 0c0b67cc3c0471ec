import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { readDraft, storeDraft } from './draft-storage.ts'
import { DraftFormMessages } from './draft-form-messages.tsx'
import { useDraftForm } from './use-draft-form.ts'

afterEach(() => {
  cleanup()
  localStorage.clear()
})

const FIELDS = ['note'] as const

function NoteForm({ note = '', kind = 'talk' }: { note?: string; kind?: string }) {
  const form = useDraftForm('note:1', { order: FIELDS, errorMessage: () => 'It failed.', send: async () => {} })
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <input aria-label="Note" name="note" defaultValue={note} />
      <select aria-label="Kind" name="kind" defaultValue={kind}>
        <option value="meal">A meal</option>
        <option value="talk">A talk</option>
      </select>
      <button type="submit">Send</button>
    </form>
  )
}

test('a restored draft is announced until it is sent, and then deleted', async () => {
  storeDraft('note:1', { note: { value: 'The hall has', on: '' } })
  render(<NoteForm />)
  const person = userEvent.setup()
  screen.getByText('We restored your unsaved draft.')
  await person.type(screen.getByLabelText('Note'), ' flooded.')
  expect(readDraft('note:1')).toEqual({ note: { value: 'The hall has flooded.', on: '' } })
  await person.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(screen.queryByText('We restored your unsaved draft.')).toBeNull())
  expect(readDraft('note:1')).toBeNull()
})

test('only changed fields are stored, with their saved value, and removed when changed back', async () => {
  const first = render(<NoteForm note="The hall" />)
  const person = userEvent.setup()
  await person.type(screen.getByLabelText('Note'), 's')
  expect(readDraft('note:1')).toEqual({ note: { value: 'The halls', on: 'The hall' } })
  first.unmount()

  render(<NoteForm note="The house" kind="meal" />)
  expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('The halls')
  expect(screen.getByLabelText<HTMLSelectElement>('Kind').value).toBe('meal')
  await person.type(screen.getByLabelText('Note'), '!')
  expect(readDraft('note:1')).toEqual({ note: { value: 'The halls!', on: 'The hall' } })
  await person.clear(screen.getByLabelText('Note'))
  await person.type(screen.getByLabelText('Note'), 'The house')
  expect(readDraft('note:1')).toBeNull()
})

test.each([[{ note: 'kept by an earlier release' }], [{ note: { value: 1, on: '' } }], [['note']], ['note'], [7]])(
  'what is kept in another shape is passed over: %j',
  (kept) => {
    storeDraft('note:1', kept)
    render(<NoteForm note="The hall" />)
    expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('The hall')
    expect(screen.queryByText('We restored your unsaved draft.')).toBeNull()
  },
)

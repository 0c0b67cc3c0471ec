import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { findTyped, keepTyped } from './kept.ts'
import { KeptFormMessages } from './kept-form-messages.tsx'
import { useKeptForm } from './use-kept-form.ts'

afterEach(() => {
  cleanup()
  localStorage.clear()
})

const FIELDS = ['note'] as const

function NoteForm({ note = '', kind = 'talk' }: { note?: string; kind?: string }) {
  const form = useKeptForm('note:1', { order: FIELDS, explain: () => 'It failed.', send: async () => {} })
  return (
    <form {...form.props}>
      <KeptFormMessages form={form} />
      <input aria-label="Note" name="note" defaultValue={note} />
      <select aria-label="Kind" name="kind" defaultValue={kind}>
        <option value="meal">A meal</option>
        <option value="talk">A talk</option>
      </select>
      <button type="submit">Send</button>
    </form>
  )
}

test('what had been begun is said until it is sent, and is forgotten then', async () => {
  keepTyped('note:1', { note: { value: 'The hall has', on: '' } })
  render(<NoteForm />)
  const person = userEvent.setup()
  screen.getByText('This is what you had begun to write here.')
  await person.type(screen.getByLabelText('Note'), ' flooded.')
  expect(findTyped('note:1')).toEqual({ note: { value: 'The hall has flooded.', on: '' } })
  await person.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(screen.queryByText('This is what you had begun to write here.')).toBeNull())
  expect(findTyped('note:1')).toBeNull()
})

test('only what was typed is kept, with what it was typed over, and nothing once that stands there again', async () => {
  const first = render(<NoteForm note="The hall" />)
  const person = userEvent.setup()
  await person.type(screen.getByLabelText('Note'), 's')
  expect(findTyped('note:1')).toEqual({ note: { value: 'The halls', on: 'The hall' } })
  first.unmount()

  render(<NoteForm note="The house" kind="meal" />)
  expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('The halls')
  expect(screen.getByLabelText<HTMLSelectElement>('Kind').value).toBe('meal')
  await person.type(screen.getByLabelText('Note'), '!')
  expect(findTyped('note:1')).toEqual({ note: { value: 'The halls!', on: 'The hall' } })
  await person.clear(screen.getByLabelText('Note'))
  await person.type(screen.getByLabelText('Note'), 'The house')
  expect(findTyped('note:1')).toBeNull()
})

test.each([[{ note: 'kept by an earlier release' }], [{ note: { value: 1, on: '' } }], [['note']], ['note'], [7]])(
  'what is kept in another shape is passed over: %j',
  (kept) => {
    keepTyped('note:1', kept)
    render(<NoteForm note="The hall" />)
    expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('The hall')
    expect(screen.queryByText('This is what you had begun to write here.')).toBeNull()
  },
)

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

function NoteForm() {
  const form = useKeptForm('note:1', { order: FIELDS, explain: () => 'It failed.', send: async () => {} })
  return (
    <form {...form.props}>
      <KeptFormMessages form={form} />
      <input aria-label="Note" name="note" />
      <button type="submit">Send</button>
    </form>
  )
}

test('what had been begun is said until it is sent, and is forgotten then', async () => {
  keepTyped('note:1', { note: 'The hall has' })
  render(<NoteForm />)
  const person = userEvent.setup()
  screen.getByText('This is what you had begun to write here.')
  await person.type(screen.getByLabelText('Note'), ' flooded.')
  expect(findTyped('note:1')).toEqual({ note: 'The hall has flooded.' })
  await person.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(screen.queryByText('This is what you had begun to write here.')).toBeNull())
  expect(findTyped('note:1')).toBeNull()
})

import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { Field } from '#web/ui/field.tsx'
import { DraftFormMessages } from './draft-form-messages.tsx'
import { readDraft, storeDraft } from './draft-storage.ts'
import { SelectField } from './select-field.tsx'
import { useDraftForm } from './use-draft-form.ts'

afterEach(() => {
  cleanup()
  localStorage.clear()
})

const FIELDS = { note: 'Note', kind: 'Kind' }
const KINDS = [
  ['meal', 'A meal'],
  ['talk', 'A talk'],
] as const

interface NoteFormProps {
  note?: string
  kind?: string
  isShared?: boolean
  send?(): Promise<void>
}

function NoteForm({ note = '', kind = 'talk', isShared, send = async () => {} }: NoteFormProps) {
  const form = useDraftForm('note:1', {
    fields: FIELDS,
    ...(isShared ? { saved: { note, kind } } : { initial: () => ({ note, kind }) }),
    display: { kind: (value) => KINDS.find(([key]) => key === value)?.[1] ?? value },
    errorMessage: () => 'It failed.',
    send,
  })
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <Field {...form.field('note')} />
      <SelectField {...form.field('kind')} options={KINDS} />
      <button type="submit">Send</button>
    </form>
  )
}

const note = () => screen.getByLabelText<HTMLInputElement>('Note')
const kind = () => screen.getByLabelText<HTMLSelectElement>('Kind')
const send = () => screen.getByRole('button', { name: 'Send' })
const stored = () => readDraft('note:1')
const draft = (fields: Record<string, { value: string; on: string }>) => ({ version: 0, value: fields })
const RESTORED = 'We restored your unsaved draft.'

test.each([
  ['', draft({ note: { value: 'The hall has', on: '' } })],
  [' of an earlier release', { note: { value: 'The hall has', on: '' } }],
])('a restored draft%s is announced until it is sent, and then deleted', async (_, kept) => {
  storeDraft('note:1', kept)
  render(<NoteForm />)
  const person = userEvent.setup()
  screen.getByText(RESTORED)
  await person.type(note(), ' flooded.')
  expect(stored()).toEqual(draft({ note: { value: 'The hall has flooded.', on: '' } }))
  await person.click(send())
  await waitFor(() => expect(screen.queryByText(RESTORED)).toBeNull())
  expect(stored()).toBeNull()
  expect(note().value).toBe('')
  await person.type(note(), 'Next')
  expect(screen.queryByText(RESTORED)).toBeNull()
})

test('only changed fields are stored, with their saved value, and removed when changed back', async () => {
  const first = render(<NoteForm note="The hall" />)
  const person = userEvent.setup()
  await person.type(note(), 's')
  expect(stored()).toEqual(draft({ note: { value: 'The halls', on: 'The hall' } }))
  first.unmount()

  render(<NoteForm note="The house" kind="meal" />)
  expect(note().value).toBe('The halls')
  expect(kind().value).toBe('meal')
  await person.type(note(), '!')
  expect(stored()).toEqual(draft({ note: { value: 'The halls!', on: 'The hall' } }))
  await person.clear(note())
  await person.type(note(), 'The house')
  expect(stored()).toBeNull()
})

test('a chosen option stays chosen, and is restored', async () => {
  const first = render(<NoteForm />)
  await userEvent.setup().selectOptions(kind(), 'A meal')
  expect(kind().value).toBe('meal')
  first.unmount()
  render(<NoteForm />)
  expect(kind().value).toBe('meal')
})

test('a newer record fills the untouched fields, and is a conflict where there is input', async () => {
  const { rerender } = render(<NoteForm note="The hall" isShared />)
  const person = userEvent.setup()
  await person.type(note(), 's')
  rerender(<NoteForm note="The house" kind="meal" isShared />)
  expect(note().value).toBe('The halls')
  expect(kind().value).toBe('meal')
  expect(screen.getByRole('group', { name: 'Newer version' }).textContent).toContain('NoteThe house')
  await person.selectOptions(kind(), 'A talk')
  rerender(<NoteForm note="" kind="meal" isShared />)
  expect(screen.getByRole('group', { name: 'Newer version' }).textContent).toMatch(/Note–$/)
  cleanup()

  // The draft still knows what it is based on.
  render(<NoteForm note="The halls" kind="talk" isShared />)
  expect(screen.queryByRole('group', { name: 'Newer version' })).toBeNull()
  cleanup()
  storeDraft('note:1', draft({ kind: { value: 'talk', on: 'dance' } }))
  render(<NoteForm kind="meal" isShared />)
  expect(screen.getByRole('group', { name: 'Newer version' }).textContent).toContain('KindA meal')
})

test('values that are not shared never conflict', () => {
  storeDraft('note:1', draft({ note: { value: 'The halls', on: 'The hall' } }))
  render(<NoteForm note="The house" />)
  screen.getByText(RESTORED)
  expect(screen.queryByRole('group', { name: 'Newer version' })).toBeNull()
})

test('input during a save stays unsaved, and the form keeps it', async () => {
  let finish = () => {}
  render(<NoteForm send={() => new Promise((resolve) => (finish = resolve))} />)
  const person = userEvent.setup()
  await person.selectOptions(kind(), 'A meal')
  await person.type(note(), 'One')
  await person.click(send())
  await person.type(note(), ' two')
  finish()
  await waitFor(() => expect(stored()).toEqual(draft({ note: { value: 'One two', on: 'One' } })))
  expect(note().value).toBe('One two')
})

test('a form that is closed by its save leaves no draft', async () => {
  let close = () => {}
  const { unmount } = render(<NoteForm send={async () => close()} />)
  close = unmount
  const person = userEvent.setup()
  await person.type(note(), 'One')
  await person.click(send())
  await waitFor(() => expect(stored()).toBeNull())
})

test('errors keep the input', async () => {
  render(<NoteForm send={() => Promise.reject(new Error('no network'))} />)
  const person = userEvent.setup()
  await person.type(note(), 'One')
  await person.click(send())
  await screen.findByText('It failed.')
  expect(note().value).toBe('One')
  expect(stored()).toEqual(draft({ note: { value: 'One', on: '' } }))
})

test.each([[{ note: 'kept by an earlier release' }], [{ note: { value: 1, on: '' } }], [['note']], ['note'], [7]])(
  'what is kept in another shape is passed over: %j',
  (kept) => {
    storeDraft('note:1', kept)
    render(<NoteForm note="The hall" />)
    expect(note().value).toBe('The hall')
    expect(screen.queryByText(RESTORED)).toBeNull()
  },
)

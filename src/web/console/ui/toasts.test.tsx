import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { CallFailure } from '#web/api/call-failure.ts'
import { clearToasts, showFailure, showToast, Toasts } from './toasts.tsx'

afterEach(() => {
  act(clearToasts)
  cleanup()
  vi.useRealTimers()
})

test('a message goes by itself, later when it can be undone, and not while it is pointed at', async () => {
  vi.useFakeTimers()
  render(<Toasts />)
  act(() => showToast('Note added'))
  act(() => showToast('Note deleted', { undo: () => {} }))
  act(() => void vi.advanceTimersByTime(6_000))
  expect(screen.queryByText('Note added')).toBeNull()
  screen.getByText('Note deleted')
  act(() => void vi.advanceTimersByTime(4_000))
  expect(screen.queryByText('Note deleted')).toBeNull()
})

test('an undo that fails says why, and can be tried again, once at a time', async () => {
  let answer: () => void = () => {}
  const undo = vi
    .fn<() => Promise<void>>()
    .mockRejectedValueOnce(new CallFailure())
    .mockRejectedValueOnce(new CallFailure({ status: 500, statusText: 'Internal Server Error' }))
    .mockRejectedValueOnce(new CallFailure({ status: 409, sentence: 'This is too late to undo.' }))
    .mockReturnValueOnce(new Promise((resolve) => (answer = resolve)))
  render(<Toasts />)
  act(() => showToast('Note deleted', { undo }))
  const press = () => userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await press()
  await screen.findByText(/^We couldn’t reach the site/)
  screen.getByText('Note deleted')
  await press()
  await screen.findByText(/^We couldn’t reach the site/)
  expect(document.body.textContent).not.toMatch(/Internal Server Error|Network error/)
  await press()
  await screen.findByText('This is too late to undo.')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Undo' }))
  await press()
  await press()
  expect(undo).toHaveBeenCalledTimes(4)
  answer()
  await screen.findByText('Undone.')
  expect(screen.queryByText('Note deleted')).toBeNull()
})

test('a failed undo stays until it is closed, also when its message was closed meanwhile', async () => {
  let fail: (cause: Error) => void = () => {}
  const undo = () => new Promise<void>((_, reject) => (fail = reject))
  render(<Toasts />)
  act(() => showToast('Note deleted', { undo }))
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await userEvent.click(screen.getByRole('button', { name: 'Close message' }))
  fail(new CallFailure())
  await screen.findByText(/^We couldn’t reach the site/)
})

test('after a press in a message the focus goes back to where it was, or to the page', async () => {
  render(
    <>
      <main id="main" tabIndex={-1}>
        <button type="button">Archive</button>
      </main>
      <Toasts />
    </>,
  )
  const archive = screen.getByRole('button', { name: 'Archive' })
  archive.focus()
  act(() => showToast('Archived', { undo: () => {} }))
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(document.activeElement).toBe(archive))
  archive.blur()
  await userEvent.click(screen.getByRole('button', { name: 'Close message' }))
  await waitFor(() => expect(document.activeElement?.id).toBe('main'))
})

test('a failure can be tried again or closed', async () => {
  const retry = vi.fn()
  render(<Toasts />)
  act(() => showFailure('Not sent', { retry }))
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(retry).toHaveBeenCalledOnce()
  act(() => showFailure('Not sent'))
  await userEvent.click(screen.getByRole('button', { name: 'Close message' }))
  expect(screen.queryByText('Not sent')).toBeNull()
})

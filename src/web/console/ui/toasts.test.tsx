import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
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

test('undo reverses what was done; a failure of it stays', async () => {
  const undo = vi.fn(async () => {
    throw new Error('Someone else changed this in the meantime.')
  })
  render(<Toasts />)
  act(() => showToast('Note deleted', { undo }))
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => screen.getByText('Someone else changed this in the meantime.'))
  expect(undo).toHaveBeenCalledOnce()
  expect(screen.queryByText('Note deleted')).toBeNull()
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

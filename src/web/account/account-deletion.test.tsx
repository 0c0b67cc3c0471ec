import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { errorResponse } from '#tests/support/web/fake-api.ts'
import { preloadDialog } from '#web/ui/overlays/dialog.tsx'
import { button, openAccount, useMembersApi } from '#tests/support/web/account-test-helpers.tsx'

const api = useMembersApi()
const DELETE = 'DELETE /api/account'

describe('deleting the account', () => {
  const SENTENCE = 'Your account has been deactivated. Your membership ends at the close of the current billing period.'

  // Loaded on demand, which takes a while on a slow machine.
  beforeAll(async () => {
    await preloadDialog()
  })

  async function openDialog() {
    const person = await openAccount('data', 'Danger Zone')
    await person.click(button('Delete account'))
    const dialog = await screen.findByRole('dialog', { name: 'Delete your account?' })
    const inDialog = within(dialog)
    return {
      person,
      password: () => inDialog.getByLabelText<HTMLInputElement>('Password'),
      confirm: () => inDialog.getByRole('button', { name: 'Delete account' }),
      cancel: () => inDialog.getByRole('button', { name: 'Cancel' }),
      inDialog,
    }
  }

  test('asks for the password, clears the token, shows an alert, and goes to the home page', async () => {
    let stored: string | null = 'not asked'
    const said = vi.spyOn(window, 'alert').mockImplementation(() => {
      stored = localStorage.getItem('token')
    })
    api.current.on(DELETE, { body: { success: true, message: SENTENCE } })
    const { person, password, confirm } = await openDialog()
    await person.type(password(), 'monsoon-in-macon')
    await person.click(confirm())
    await screen.findByText('At /')
    expect(said).toHaveBeenCalledExactlyOnceWith(SENTENCE)
    expect(stored).toBeNull()
    expect(api.current.requestsTo(DELETE)[0]?.body).toEqual({ password: 'monsoon-in-macon' })
    expect(localStorage.getItem('user')).toBeNull()
  })

  test('without a password nothing is sent', async () => {
    const { person, confirm, inDialog } = await openDialog()
    await person.click(confirm())
    inDialog.getByText('Password is required')
    expect(api.current.requestsTo(DELETE)).toEqual([])
  })

  test('a wrong password is an error under the field; the account stays', async () => {
    const sentence = 'Password is incorrect'
    api.current.on(DELETE, errorResponse(400, 'INVALID_INPUT', sentence, { password: sentence }))
    const { person, password, confirm, inDialog } = await openDialog()
    await person.type(password(), 'not it')
    await person.click(confirm())
    await inDialog.findByText(sentence)
    expect(localStorage.getItem('token')).not.toBeNull()
  })

  test.each([
    [errorResponse(502, 'DELETION_FAILED', 'Your account was kept.'), 'Your account was kept.'],
    [{ status: 500 }, 'Failed to delete account'],
    ['no network' as const, 'Failed to delete account'],
  ])('%j: %s', async (answer, sentence) => {
    api.current.on(DELETE, answer)
    const { person, password, confirm, inDialog } = await openDialog()
    await person.type(password(), 'monsoon-in-macon')
    await person.click(confirm())
    expect((await inDialog.findByRole('alert')).textContent).toBe(sentence)
    expect(password().value).toBe('monsoon-in-macon')
  })

  test('without a token', async () => {
    const { person, password, confirm, inDialog } = await openDialog()
    localStorage.removeItem('token')
    await person.type(password(), 'monsoon-in-macon')
    await person.click(confirm())
    expect((await inDialog.findByRole('alert')).textContent).toBe('Please log in to delete your account')
  })

  test('while it is sent the dialog stays open and cannot be canceled; a failure is shown there', async () => {
    let fail!: () => void
    const answer = new Promise<ReturnType<typeof errorResponse>>((resolve) => {
      fail = () => resolve(errorResponse(502, 'DELETION_FAILED', 'Your account was kept.'))
    })
    api.current.on(DELETE, answer)
    const { person, password, confirm, cancel, inDialog } = await openDialog()
    await person.type(password(), 'monsoon-in-macon')
    await person.click(confirm())
    expect(cancel()).toHaveProperty('disabled', true)
    await person.keyboard('{Escape}')
    await person.click(inDialog.getByRole('button', { name: 'Close' }))
    fail()
    expect((await inDialog.findByRole('alert')).textContent).toBe('Your account was kept.')
    await person.click(cancel())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('can be canceled with the button and with Escape', async () => {
    const { person, cancel } = await openDialog()
    await person.click(cancel())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await person.click(button('Delete account'))
    await screen.findByRole('dialog')
    await person.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.current.requestsTo(DELETE)).toEqual([])
  })
})

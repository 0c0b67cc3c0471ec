import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { errorResponse, tokenFor } from '#tests/support/web/fake-api.ts'
import { button, errorUnder, field, openAccount, useMembersApi } from '#tests/support/web/account-test-helpers.tsx'
import { profile } from '#tests/support/web/page-test-helpers.tsx'

const api = useMembersApi()
const PASSWORD = 'PUT /api/account/password'

describe('changing the password', () => {
  async function fill(current: string, fresh: string, confirmation = fresh) {
    const person = await openAccount('security', 'Change Password')
    if (current) await person.type(field('Current password'), current)
    if (fresh) await person.type(field('New password'), fresh)
    if (confirmation) await person.type(field('Confirm new password'), confirmation)
    await person.click(button('Change password'))
    return person
  }

  test('keeps the new token, says so, and empties the form', async () => {
    const fresh = tokenFor(7_200)
    api.current.on(PASSWORD, { body: { token: fresh } })
    await fill('monsoon-in-macon', 'a-quieter-veranda')
    await screen.findByText('Password changed successfully!')
    expect(api.current.requestsTo(PASSWORD)[0]?.body).toEqual({
      currentPassword: 'monsoon-in-macon',
      newPassword: 'a-quieter-veranda',
    })
    expect(localStorage.getItem('token')).toBe(fresh)
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(profile)
    for (const label of ['Current password', 'New password', 'Confirm new password'])
      expect(field(label).value).toBe('')
    expect(document.activeElement).toBe(button('Change password'))
  })

  test.each([
    ['', '', '', ['Current password is required', 'New password is required', undefined]],
    ['x', '12345', '12345', [undefined, 'New password must be at least 6 characters long', undefined]],
    ['x', 'a-quieter-veranda', 'else', [undefined, undefined, 'New passwords do not match']],
    [
      'monsoon-in-macon',
      'monsoon-in-macon',
      'monsoon-in-macon',
      [undefined, 'New password must be different from current password', undefined],
    ],
  ])('%j, %j, %j shows errors under the fields and is not sent', async (current, fresh, confirmation, told) => {
    await fill(current, fresh, confirmation)
    const labels = ['Current password', 'New password', 'Confirm new password']
    expect(labels.map(errorUnder)).toEqual(told)
    expect(api.current.requestsTo(PASSWORD)).toEqual([])
  })

  test('a wrong current password is an error under its field, and the session stays', async () => {
    const sentence = 'Current password is incorrect'
    api.current.on(PASSWORD, errorResponse(400, 'INVALID_INPUT', sentence, { currentPassword: sentence }))
    await fill('not it', 'a-quieter-veranda')
    await waitFor(() => expect(errorUnder('Current password')).toBe(sentence))
    expect(localStorage.getItem('token')).not.toBeNull()
  })

  test.each([
    [{ status: 500 }, 'Failed to change password'],
    ['no network' as const, 'Failed to change password'],
    [errorResponse(429, 'RATE_LIMITED', 'Too many attempts.'), 'Too many attempts.'],
  ])('%j: %s', async (answer, sentence) => {
    api.current.on(PASSWORD, answer)
    await fill('monsoon-in-macon', 'a-quieter-veranda')
    expect((await screen.findByRole('alert')).textContent).toBe(sentence)
    expect(field('New password').value).toBe('a-quieter-veranda')
  })

  test('without a token', async () => {
    const person = await openAccount('security', 'Change Password')
    localStorage.removeItem('token')
    await person.type(field('Current password'), 'monsoon-in-macon')
    await person.type(field('New password'), 'a-quieter-veranda')
    await person.type(field('Confirm new password'), 'a-quieter-veranda')
    await person.click(button('Change password'))
    expect((await screen.findByRole('alert')).textContent).toBe('Please log in to change your password')
  })

  test('each password can be shown', async () => {
    const person = await openAccount('security', 'Change Password')
    const [toggle] = screen.getAllByRole('button', { name: 'Show password' })
    await person.click(toggle as HTMLElement)
    expect(field('Current password').type).toBe('text')
  })
})

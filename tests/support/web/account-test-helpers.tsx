import { screen } from '@testing-library/react'
import type userEvent from '@testing-library/user-event'
import { beforeEach } from 'vitest'
import { tokenFor, useFakeApi } from './fake-api.ts'
import AccountPage from '#web/account/account.tsx'
import { annual, profile, renderPage, subscriptionTo } from './page-test-helpers.tsx'

export const GET_PROFILE = 'GET /api/account/profile'

/** The fake network for account page tests, with an annual member logged in. */
export function useMembersApi(): ReturnType<typeof useFakeApi> {
  const api = useFakeApi()
  beforeEach(() => {
    localStorage.setItem('token', tokenFor(3_600))
    api.current.on(GET_PROFILE, { body: { profile, subscription: subscriptionTo(annual) } })
  })
  return api
}

/** Resolves with the test user once the account is shown. */
export async function openAccount(): Promise<ReturnType<typeof userEvent.setup>> {
  const { person } = renderPage(AccountPage, { at: '/auth/account' })
  await screen.findByRole('heading', { name: 'Profile Information' })
  return person
}

export const button = (name: string) => screen.getByRole('button', { name })
export const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

/** The error under an invalid field; undefined under a valid one. */
export function errorUnder(label: string): string | null | undefined {
  const control = field(label)
  if (control.getAttribute('aria-invalid') !== 'true') return undefined
  return document.getElementById(control.getAttribute('aria-describedby')?.split(' ').at(-1) ?? '')?.textContent
}

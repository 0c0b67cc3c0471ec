import { screen } from '@testing-library/react'
import type userEvent from '@testing-library/user-event'
import { beforeEach } from 'vitest'
import { tokenFor, useFakeApi } from '#web/api/fake-api.ts'
import AccountPage from './account.tsx'
import { annual, profile, renderPage, subscriptionTo } from './render-page.tsx'

export const GET_PROFILE = 'GET /api/account/profile'

/** The network of a test about the account page of a member for a year, who is logged in. */
export function useMembersApi(): ReturnType<typeof useFakeApi> {
  const api = useFakeApi()
  beforeEach(() => {
    localStorage.setItem('token', tokenFor(3_600))
    api.current.on(GET_PROFILE, { body: { profile, subscription: subscriptionTo(annual) } })
  })
  return api
}

/** Resolves with the person once the account is shown. */
export async function openAccount(): Promise<ReturnType<typeof userEvent.setup>> {
  const { person } = renderPage(AccountPage, { at: '/auth/account' })
  await screen.findByRole('heading', { name: 'Profile Information' })
  return person
}

export const button = (name: string) => screen.getByRole('button', { name })
export const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

/** What stands under a field that is refused; undefined under one that is not. */
export function errorUnder(label: string): string | null | undefined {
  const control = field(label)
  if (control.getAttribute('aria-invalid') !== 'true') return undefined
  return document.getElementById(control.getAttribute('aria-describedby')?.split(' ').at(-1) ?? '')?.textContent
}

import { screen } from '@testing-library/react'
import type userEvent from '@testing-library/user-event'
import { beforeEach } from 'vitest'
import type { DirectoryChoice } from '#contract/public/my-account/directory-choice.ts'
import { tokenFor, useFakeApi } from './fake-api.ts'
import AccountPage from '#web/account/account.tsx'
import AccountSection from '#web/account/account-section.tsx'
import { annual, profile, renderPage, subscriptionTo } from './page-test-helpers.tsx'

export const GET_PROFILE = 'GET /api/account/profile'

export const GET_RECORD = 'GET /api/account/record'

/** A member who chose nothing about the directory. */
export const directoryChoiceSample: DirectoryChoice = {
  inMembers: false,
  inPublic: false,
  takesMessages: true,
  entryId: null,
  hasPublicPage: false,
  isPublicNow: false,
}

export const GET_HOME = 'GET /api/account/home'

/** The fake network for account page tests, with an annual member logged in. */
export function useMembersApi(): ReturnType<typeof useFakeApi> {
  const api = useFakeApi()
  beforeEach(() => {
    localStorage.setItem('token', tokenFor(3_600))
    api.current.on('GET /api/account/directory', { body: directoryChoiceSample })
    api.current.on(GET_RECORD, { body: { fields: [], version: 'v1' } })
    api.current.on(GET_PROFILE, { body: { profile, subscription: subscriptionTo(annual) } })
  })
  return api
}

/** Renders the account at an address, with its other pages. */
export function renderAccount(at = '/auth/account') {
  return renderPage(AccountPage, { at, route: { path: '/auth/account', answers: {} }, below: AccountSection })
}

/** Resolves with the test user once a page of the account shows a part with this heading. */
export async function openAccount(section: string, heading: string): Promise<ReturnType<typeof userEvent.setup>> {
  const { person } = renderAccount(`/auth/account/${section}`)
  await screen.findByRole('heading', { name: heading })
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

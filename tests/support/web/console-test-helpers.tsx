import type userEvent from '@testing-library/user-event'
import { beforeEach } from 'vitest'
import { permissionsOf, type Role, type SecondFactor } from '#contract/access.ts'
import { tokenFor, useFakeApi } from './fake-api.ts'
import ConsolePageFrame from '#web/console/console.tsx'
import { renderPage } from './page-test-helpers.tsx'

export const GET_OFFICER = 'GET /api/console/me'

/** The console profile of an officer with these roles; `provedUntil` null requires a second factor. */
export function officerWith(
  roles: Role[],
  secondFactor: { isEnrolled: boolean; ways?: SecondFactor[]; provedUntil: string | null } = {
    isEnrolled: true,
    provedUntil: '2040-01-01T00:00:00.000Z',
  },
) {
  return {
    name: 'Nandini Sen-Ravi',
    email: 'nandini@example.com',
    roles,
    permissions: permissionsOf(roles),
    secondFactor: { ways: secondFactor.isEnrolled ? ['app'] : [], ...secondFactor },
  }
}

/** The fake network for console tests, with a president who has passed the second factor. */
export function useConsoleApi(): ReturnType<typeof useFakeApi> {
  const api = useFakeApi()
  beforeEach(() => {
    localStorage.setItem('token', tokenFor(3_600))
    api.current.on(GET_OFFICER, { body: officerWith(['president']) })
  })
  return api
}

/** Renders a console page within its frame. */
export function openConsole(at: string): ReturnType<typeof userEvent.setup> {
  return renderPage(ConsolePageFrame, { at }).person
}

/** Saves the page's editor, as its Save button in the top bar does. */
export async function saveByKey(person: ReturnType<typeof userEvent.setup>): Promise<void> {
  await person.keyboard('{Control>}s{/Control}')
}

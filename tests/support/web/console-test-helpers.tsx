import type userEvent from '@testing-library/user-event'
import { beforeEach } from 'vitest'
import { permissionsOf, type Role, type Way } from '#contract/access.ts'
import { tokenFor, useFakeApi } from '#web/api/fake-api.ts'
import ConsolePageFrame from './console.tsx'
import { renderPage } from './render-page.tsx'

export const GET_OFFICER = 'GET /api/console/me'

/** What the site says of an officer with these roles; `provedUntil` null asks for a code. */
export function officerWith(
  roles: Role[],
  secondFactor: { isEnrolled: boolean; ways?: Way[]; provedUntil: string | null } = {
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

/** The network of a test about the console, of a president who is inside. */
export function useConsoleApi(): ReturnType<typeof useFakeApi> {
  const api = useFakeApi()
  beforeEach(() => {
    localStorage.setItem('token', tokenFor(3_600))
    api.current.on(GET_OFFICER, { body: officerWith(['president']) })
  })
  return api
}

/** A page of the console within its frame. */
export function openConsole(at: string): ReturnType<typeof userEvent.setup> {
  return renderPage(ConsolePageFrame, { at }).person
}

import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { errorResponse } from '#tests/support/web/fake-api.ts'
import { GET_OFFICER, officerWith, openConsole, useConsoleApi } from '#tests/support/web/console-test-helpers.tsx'
import { consoleRoutes } from './console-routes.ts'
import { loadPage } from './load-page.ts'
import { lookAhead } from './shell/use-officer.ts'

const api = useConsoleApi()
const TODAY = 'GET /api/console/today'
const OFFICERS = 'GET /api/console/officers'
const NOTHING = { body: { tasks: [] } }
const term = {
  id: 't1',
  accountId: 'a1',
  name: 'Ana Rao',
  email: 'ana@example.com',
  role: 'editor',
  startsOn: '2026-11-01',
  endsOn: '2027-10-31',
  state: 'now',
  hasSecondFactor: false,
  isLastManager: false,
}

describe('the access check', () => {
  test('uses the look that has begun', async () => {
    lookAhead()
    openConsole('/console/members/new')
    await screen.findByRole('navigation', { name: 'Console' })
    expect(api.current.requestsTo(GET_OFFICER)).toHaveLength(1)
  })

  test('leads a visitor to the login page, and back to the requested page', async () => {
    localStorage.clear()
    openConsole('/console/officers')
    const link = await screen.findByRole('link', { name: 'Log in' })
    expect(link.getAttribute('href')).toBe('/auth/login?next=%2Fconsole%2Fofficers')
  })

  test('shows a message to a member without a role', async () => {
    api.current.on(GET_OFFICER, errorResponse(403, 'NOT_AN_OFFICER', 'This part of the site is for officers.'))
    openConsole('/console')
    expect((await screen.findByRole('alert')).textContent).toContain('is for officers')
    expect(localStorage.getItem('token')).not.toBeNull()
  })

  test('opens an event’s check-in offline for an officer who had access, as long as the second factor is valid', async () => {
    const list = 'GET /api/console/rsvp/gala/door'
    const kept = (provedUntil: string) =>
      localStorage.setItem('door-officer', JSON.stringify(officerWith(['editor'], { isEnrolled: true, provedUntil })))
    api.current.on(GET_OFFICER, 'no network').on(list, 'no network')
    kept('2020-01-01T00:00:00.000Z')
    openConsole('/console/rsvp/gala')
    await screen.findByText(/We couldn’t reach the site/)
    cleanup()
    kept('2040-01-01T00:00:00.000Z')
    window.history.replaceState({}, '', '/console/rsvp/gala')
    openConsole('/console/rsvp/gala')
    await screen.findByText('You’re offline, and this phone has not loaded the list yet.')
    cleanup()
    window.history.replaceState({}, '', '/console/payments')
    openConsole('/console/payments')
    await screen.findByText(/We couldn’t reach the site/)
  })

  test('asks for the code; a wrong one is an error under its field, a correct one opens the console', async () => {
    api.current
      .on(
        GET_OFFICER,
        { body: officerWith(['viewer'], { isEnrolled: true, provedUntil: null }) },
        { body: officerWith(['viewer']) },
      )
      .on(
        'POST /api/console/second-factor/prove',
        errorResponse(400, 'INVALID_INPUT', 'This code is not right.', { code: 'This code is not right.' }),
        {
          body: { secondFactor: { isEnrolled: true, ways: ['app'], provedUntil: '2040-01-01' }, recoveryCodesLeft: 10 },
        },
      )
      .on(TODAY, NOTHING)
    const person = openConsole('/console')
    await person.type(await screen.findByLabelText('Authenticator code'), '123456')
    await person.click(screen.getByRole('button', { name: 'Open the console' }))
    expect((await screen.findAllByText('This code is not right.')).length).toBeGreaterThan(0)
    await person.click(screen.getByRole('button', { name: 'Open the console' }))
    await screen.findByRole('heading', { name: 'Home', level: 1 })
  })

  test('sets up the app: password, QR code, first code, recovery codes', async () => {
    api.current
      .on(GET_OFFICER, { body: officerWith(['viewer'], { isEnrolled: false, provedUntil: null }) })
      .on('POST /api/console/second-factor/begin', {
        body: { secret: 'ABCD EFGH', address: 'otpauth://totp/x', qrCode: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
      })
      .on('POST /api/console/second-factor/confirm', { body: { recoveryCodes: ['aaaaa-bbbbb', 'ccccc-ddddd'] } })
    const person = openConsole('/console')
    await person.type(await screen.findByLabelText('Your password'), 'monsoon-in-macon')
    await person.click(screen.getByRole('button', { name: 'Set up the app' }))
    expect((await screen.findByAltText(/^QR code/)).getAttribute('src')).toMatch(/^data:image\/svg/)
    screen.getByText('ABCD EFGH')
    await person.type(screen.getByLabelText('Authenticator code'), '123456')
    await person.click(screen.getByRole('button', { name: 'Confirm' }))
    await screen.findByText('ccccc-ddddd')
    api.current.on(GET_OFFICER, { body: officerWith(['viewer']) }).on(TODAY, NOTHING)
    await person.click(screen.getByRole('button', { name: 'I saved them' }))
    await screen.findByText(/^All caught up/)
  })

  test('closes when the role ends, with the page that was open', async () => {
    api.current.on(OFFICERS, {
      body: { terms: [term], mayChange: true, year: { startsOn: '2026-07-01', endsOn: '2027-06-30' } },
    })
    const person = openConsole('/console/officers')
    await screen.findByText('Ana Rao')
    api.current
      .on(GET_OFFICER, errorResponse(403, 'NOT_AN_OFFICER', 'This part of the site is for officers.'))
      .on(
        'DELETE /api/console/officers/t1',
        errorResponse(403, 'NOT_AN_OFFICER', 'This part of the site is for officers.'),
      )
    await person.click(screen.getByRole('button', { name: 'Actions for Ana Rao' }))
    await person.click(await screen.findByRole('menuitem', { name: 'Remove role Editor' }))
    await person.click(await screen.findByRole('button', { name: 'Remove role' }))
    await waitFor(() => expect(screen.queryByText('Ana Rao')).toBeNull())
  })
})

describe('inside the console', () => {
  test('an officer who cannot assign roles sees who holds them, and no buttons', async () => {
    api.current.on(GET_OFFICER, { body: officerWith(['viewer']) }).on(OFFICERS, {
      body: { terms: [term], mayChange: false, year: { startsOn: '2026-07-01', endsOn: '2027-06-30' } },
    })
    openConsole('/console/officers')
    await screen.findByText('Ana Rao')
    expect(screen.queryByRole('button', { name: /Assign role|Actions for/ })).toBeNull()
  })

  test('the navigation shows what the role allows, and other pages show a message', async () => {
    api.current.on(GET_OFFICER, { body: officerWith(['editor']) })
    openConsole('/console/history')
    await screen.findByRole('heading', { name: 'No access with your role' })
    const nav = within(screen.getByRole('navigation', { name: 'Console' }))
    expect(nav.queryByRole('link', { name: 'Audit log' })).toBeNull()
    nav.getByRole('link', { name: 'Home' })
  })

  test('a page that cannot be loaded shows an error and can be retried', async () => {
    // Then the navigation and the page share one request.
    for (const route of consoleRoutes.slice(0, 1)) await loadPage(route)
    api.current.on(TODAY, 'no network', NOTHING)
    const person = openConsole('/console')
    await person.click(await screen.findByRole('button', { name: 'Try again' }))
    await screen.findByText(/^All caught up/)
  })

  test('a sensitive action asks for a code in a dialog and continues with what was typed', async () => {
    const GIVE = 'POST /api/console/officers'
    api.current
      .on(OFFICERS, { body: { terms: [], mayChange: true, year: { startsOn: '2026-07-01', endsOn: '2027-06-30' } } })
      .on(GIVE, errorResponse(403, 'SECOND_FACTOR_AGAIN', 'Enter the code again.'), {
        status: 201,
        body: { terms: [term], mayChange: true, year: { startsOn: '2026-07-01', endsOn: '2027-06-30' } },
      })
      .on('POST /api/console/second-factor/prove', {
        body: { secondFactor: { isEnrolled: true, ways: ['app'], provedUntil: '2040-01-01' }, recoveryCodesLeft: 10 },
      })
    const ana = { id: 'm1', firstName: 'Ana', lastName: 'Rao', email: 'ana@example.com', username: 'ana' }
    const details = {
      state: 'ACTIVE',
      level: null,
      joinedAt: '',
      startedAt: null,
      endsAt: null,
      renewal: null,
      credentials: null,
      lastPayment: null,
    }
    api.current.on('GET /api/console/members', {
      body: {
        members: [{ ...ana, ...details }],
        total: 1,
        suggestions: [],
        levels: [],
        mayExport: true,
        fields: [],
        mayLookAtMoney: false,
      },
    })
    const person = openConsole('/console/officers')
    await person.click(await screen.findByRole('button', { name: 'Assign role' }))
    const form = within(await screen.findByRole('dialog', { name: 'Assign role' }))
    await person.type(form.getByLabelText('Member'), 'ana')
    await person.click(await form.findByRole('button', { name: /^Ana Rao/ }))
    await person.click(form.getByRole('radio', { name: /^Editor/ }))
    await person.click(form.getByRole('button', { name: 'Assign role' }))
    await person.type(await screen.findByLabelText('Authenticator code'), '123456')
    await person.click(screen.getByRole('button', { name: 'Continue' }))
    await screen.findByText('Ana Rao')
    expect(api.current.requestsTo(GIVE).map(({ body }) => body)).toEqual(
      Array(2).fill({ email: 'ana@example.com', role: 'editor', startsOn: '2026-07-01', endsOn: '2027-06-30' }),
    )
  })
})

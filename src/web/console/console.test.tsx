import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { refusal } from '#web/api/fake-api.ts'
import { GET_OFFICER, officerWith, openConsole, useConsoleApi } from './open-console.tsx'

const api = useConsoleApi()
const TODAY = 'GET /api/console/today'
const OFFICERS = 'GET /api/console/officers'
const NOTHING = { body: { tasks: [], figures: [] } }
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
}

describe('the door', () => {
  test('leads a visitor to the log-in, and back to the page that was wanted', async () => {
    localStorage.clear()
    openConsole('/console/officers')
    const link = await screen.findByRole('link', { name: 'Log in' })
    expect(link.getAttribute('href')).toBe('/auth/login?next=%2Fconsole%2Fofficers')
  })

  test('says so to a member who holds no role', async () => {
    api.current.on(GET_OFFICER, refusal(403, 'NOT_AN_OFFICER', 'This part of the site is for officers.'))
    openConsole('/console')
    expect((await screen.findByRole('alert')).textContent).toContain('is for officers')
    expect(localStorage.getItem('token')).not.toBeNull()
  })

  test('at the door of an event opens without a network for whoever was inside, as long as the code holds', async () => {
    const list = 'GET /api/console/rsvp/gala/door'
    const kept = (provedUntil: string) =>
      localStorage.setItem('door-officer', JSON.stringify(officerWith(['editor'], { isEnrolled: true, provedUntil })))
    api.current.on(GET_OFFICER, 'no network').on(list, 'no network')
    kept('2020-01-01T00:00:00.000Z')
    openConsole('/console/rsvp/gala')
    await screen.findByText(/The site did not answer/)
    cleanup()
    kept('2040-01-01T00:00:00.000Z')
    window.history.replaceState({}, '', '/console/rsvp/gala')
    openConsole('/console/rsvp/gala')
    await screen.findByText('There is no network, and this phone does not know the list yet.')
    cleanup()
    window.history.replaceState({}, '', '/console/payments')
    openConsole('/console/payments')
    await screen.findByText(/The site did not answer/)
  })

  test('asks for the code; a wrong one stands under its field, a right one opens', async () => {
    api.current
      .on(
        GET_OFFICER,
        { body: officerWith(['viewer'], { isEnrolled: true, provedUntil: null }) },
        { body: officerWith(['viewer']) },
      )
      .on(
        'POST /api/console/second-factor/prove',
        refusal(400, 'INVALID_INPUT', 'This code is not right.', { code: 'This code is not right.' }),
        {
          body: { secondFactor: { isEnrolled: true, ways: ['app'], provedUntil: '2040-01-01' }, recoveryCodesLeft: 10 },
        },
      )
      .on(TODAY, NOTHING)
    const person = openConsole('/console')
    await person.type(await screen.findByLabelText('Code of your authenticator app'), '123456')
    await person.click(screen.getByRole('button', { name: 'Open the console' }))
    expect((await screen.findAllByText('This code is not right.')).length).toBeGreaterThan(0)
    await person.click(screen.getByRole('button', { name: 'Open the console' }))
    await screen.findByRole('heading', { name: 'Today', level: 1 })
  })

  test('sets up the app: password, picture, first code, recovery codes', async () => {
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
    await person.type(screen.getByLabelText('Code of your authenticator app'), '123456')
    await person.click(screen.getByRole('button', { name: 'Confirm' }))
    await screen.findByText('ccccc-ddddd')
    api.current.on(GET_OFFICER, { body: officerWith(['viewer']) }).on(TODAY, NOTHING)
    await person.click(screen.getByRole('button', { name: 'I have kept them' }))
    await screen.findByText(/^Nothing waits/)
  })

  test('closes when the role is over, with the page that was open', async () => {
    api.current.on(OFFICERS, { body: { terms: [term], mayChange: true } })
    const person = openConsole('/console/officers')
    await screen.findByText('Ana Rao')
    api.current
      .on(GET_OFFICER, refusal(403, 'NOT_AN_OFFICER', 'This part of the site is for officers.'))
      .on('DELETE /api/console/officers/t1', refusal(403, 'NOT_AN_OFFICER', 'This part of the site is for officers.'))
    await person.click(screen.getByRole('button', { name: 'End the term of Ana Rao as Editor' }))
    await person.click(await screen.findByRole('button', { name: 'End the term' }))
    await waitFor(() => expect(screen.queryByText('Ana Rao')).toBeNull())
  })
})

describe('inside', () => {
  test('whoever may not give roles sees who holds them, and no buttons', async () => {
    api.current
      .on(GET_OFFICER, { body: officerWith(['viewer']) })
      .on(OFFICERS, { body: { terms: [term], mayChange: false } })
    openConsole('/console/officers')
    await screen.findByText('Ana Rao')
    expect(screen.queryByRole('button', { name: /Give a role|End the term/ })).toBeNull()
  })

  test('the navigation shows what the role opens, and an address beyond it says so', async () => {
    api.current.on(GET_OFFICER, { body: officerWith(['editor']) })
    openConsole('/console/history')
    await screen.findByRole('heading', { name: 'Not with your role' })
    const nav = within(screen.getByRole('navigation', { name: 'Console' }))
    expect(nav.queryByRole('link', { name: 'Audit log' })).toBeNull()
    nav.getByRole('link', { name: 'Today' })
  })

  test('today lists what waits, with the way to it', async () => {
    api.current.on(TODAY, {
      body: {
        tasks: [
          {
            key: 'messages',
            count: 2,
            urgency: 'late',
            detail: 'Due.',
          },
        ],
        figures: [{ label: 'Members', value: '812' }],
      },
    })
    openConsole('/console')
    const link = await screen.findByRole('link', { name: 'Messages to answer' })
    expect(link.getAttribute('href')).toBe('/console/messages')
    screen.getByText('Late')
    screen.getByText('812')
  })

  test('a page that cannot be loaded says so and can be asked again', async () => {
    api.current.on(TODAY, 'no network', NOTHING)
    const person = openConsole('/console')
    await person.click(await screen.findByRole('button', { name: 'Try again' }))
    await screen.findByText(/^Nothing waits/)
  })

  test('what is sensitive asks for a code above the page and goes on, with what was typed', async () => {
    const GIVE = 'POST /api/console/officers'
    api.current
      .on(OFFICERS, { body: { terms: [], mayChange: true } })
      .on(GIVE, refusal(403, 'SECOND_FACTOR_AGAIN', 'Enter the code again.'), {
        status: 201,
        body: { terms: [term], mayChange: true },
      })
      .on('POST /api/console/second-factor/prove', {
        body: { secondFactor: { isEnrolled: true, ways: ['app'], provedUntil: '2040-01-01' }, recoveryCodesLeft: 10 },
      })
    const person = openConsole('/console/officers')
    await person.click(await screen.findByRole('button', { name: 'Give a role' }))
    await person.type(await screen.findByLabelText('Email of the member'), 'ana@example.com')
    await person.selectOptions(screen.getByLabelText('Role'), 'Editor')
    await person.type(screen.getByLabelText('First day'), '2026-11-01')
    await person.type(screen.getByLabelText('Last day'), '2027-10-31')
    await person.click(screen.getByRole('button', { name: 'Give the role' }))
    await person.type(await screen.findByLabelText('Code of your authenticator app'), '123456')
    await person.click(screen.getByRole('button', { name: 'Go on' }))
    await screen.findByText('Ana Rao')
    expect(api.current.of(GIVE).map(({ body }) => body)).toEqual(
      Array(2).fill({ email: 'ana@example.com', role: 'editor', startsOn: '2026-11-01', endsOn: '2027-10-31' }),
    )
  })
})

import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { AccountField } from '#contract/public/my-account/member-record.ts'
import { errorResponse } from '#tests/support/web/fake-api.ts'
import {
  button,
  errorUnder,
  field,
  GET_RECORD,
  openAccount,
  useMembersApi,
} from '#tests/support/web/account-test-helpers.tsx'
import { accountFieldSample } from '#tests/support/web/record-sample.ts'

const api = useMembersApi()
const PUT = 'PUT /api/account/record'
const CONFIRM = 'POST /api/account/record/confirm'
const home = { lines: ['12 Pecan Street'], city: 'Macon', region: 'GA', postalCode: '31201', country: '' }

const fields: AccountField[] = [
  accountFieldSample('specialty', { kind: 'choice', choices: ['Cardiology', 'Urology'], widest: 'everyone' }),
  accountFieldSample('languages', {
    kind: 'choices',
    choices: ['Hindi', 'Tamil', 'English'],
    value: ['Tamil'],
    audience: 'members',
    confirmedOn: '2026-03-02',
    enteredBy: 'owner',
  }),
  accountFieldSample('phone', { kind: 'phone', isRequired: true }),
  accountFieldSample('home', {
    kind: 'address',
    widest: 'officers',
    value: home,
    audience: 'owner',
    enteredBy: 'import',
  }),
  accountFieldSample('number', { asked: 'officers', value: '0142', enteredBy: 'officer' }),
]

async function open(shown = fields) {
  api.current.on(GET_RECORD, { body: { fields: shown, version: 'v1' } })
  const person = await openAccount('profile', 'Your details')
  await screen.findByText('Specialty')
  return person
}

async function edit(shown?: AccountField[]) {
  const person = await open(shown)
  await person.click(button('Edit details'))
  return person
}

test('the form begins at its first field', async () => {
  await edit()
  expect(document.activeElement).toBe(screen.getByLabelText(/^Specialty/))
})

const detail = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling?.textContent
const choice = (label: string) => screen.getByLabelText<HTMLSelectElement>(label)
const sent = () => api.current.requestsTo(PUT)[0]?.body

test('is left out where the association asks nothing', async () => {
  await openAccount('profile', 'Profile Information')
  expect(screen.queryByText('Your details')).toBeNull()
})

test('a failed call can be tried again', async () => {
  api.current.on(GET_RECORD, { status: 500 })
  const person = await openAccount('profile', 'Your details')
  await screen.findByText('Your details could not be loaded. Please check your connection.')
  api.current.on(GET_RECORD, { body: { fields, version: 'v1' } })
  await person.click(button('Try again'))
  await screen.findByText('Specialty')
})

test('shows each value with who sees it, who entered it and when it was confirmed', async () => {
  await open()
  expect(detail('Specialty')).toBe('Not entered')
  expect(detail('Languages')).toBe('TamilShown to: members, confirmed March 2, 2026')
  expect(detail('Home')).toBe(
    '12 Pecan StreetMacon, GA 31201Only you see this, from an earlier list, not confirmed yet',
  )
  expect(detail('Number')).toContain('Shown to: officers, entered by an officer')
  screen.getByText(/Some of this was entered for you/)
})

describe('editing', () => {
  test('sends what was changed, and nothing else', async () => {
    const person = await edit()
    api.current.on(PUT, { body: { fields, version: 'v2' } })
    await person.selectOptions(choice('Specialty (optional)'), 'Urology')
    await person.type(field('Phone'), '478 555 0142')
    await person.click(field('Hindi'))
    await person.selectOptions(choice('Who sees it: Languages'), 'Officers')
    await person.click(button('Save details'))
    await screen.findByText('Your details were saved.')
    expect(sent()).toEqual({
      version: 'v1',
      values: { specialty: 'Urology', phone: '478 555 0142', languages: ['Hindi', 'Tamil'] },
      audiences: { languages: 'officers' },
    })
    expect(document.activeElement).toBe(button('Edit details'))
  })

  test('offers no audience wider than the field allows, and no control for what officers enter', async () => {
    await edit()
    const audiences = (label: string) => [...choice(`Who sees it: ${label}`).options].map(({ text }) => text)
    expect(audiences('Specialty')).toEqual(['Only me', 'Officers', 'Members', 'Everyone'])
    expect(audiences('Home')).toEqual(['Only me', 'Officers'])
    expect(audiences('Number')).toEqual(['Officers', 'Members'])
    expect(screen.queryByLabelText('Number')).toBeNull()
    screen.getByText('Officers enter this.')
  })

  test('has an address in its parts, and deletes one that is emptied', async () => {
    const person = await edit()
    api.current.on(PUT, { body: { fields, version: 'v2' } })
    const address = within(screen.getByRole('group', { name: 'Home (optional)' }))
    expect(address.getByLabelText<HTMLInputElement>('Street').value).toBe('12 Pecan Street')
    await person.clear(address.getByLabelText('City'))
    await person.click(button('Save details'))
    expect(errorUnder('City')).toBe('Please enter the city')
    for (const part of ['Street', 'State or region', 'Postal code']) await person.clear(address.getByLabelText(part))
    await person.click(button('Save details'))
    await screen.findByText('Your details were saved.')
    expect(sent()).toMatchObject({ values: { home: { lines: ['', ''], city: '' } } })
  })

  test('shows what is wrong under its field, and sends nothing', async () => {
    const person = await edit()
    await person.type(field('Phone'), '12')
    await person.click(button('Save details'))
    expect(errorUnder('Phone')).toBe('Please enter a phone number, such as +1 478 555 0142')
    expect(document.activeElement).toBe(field('Phone'))
    expect(api.current.requestsTo(PUT)).toEqual([])
  })

  test('shows the error of the server under its field', async () => {
    const sentence = 'This cannot be shown to so many people. Please choose again'
    api.current.on(PUT, errorResponse(400, 'INVALID_INPUT', sentence, { 'audiences.specialty': sentence }))
    const person = await edit()
    await person.selectOptions(choice('Who sees it: Specialty'), 'Everyone')
    await person.click(button('Save details'))
    expect((await screen.findAllByText(sentence)).length).toBeGreaterThan(0)
  })

  test('after a change elsewhere it keeps what was typed, shows what was saved and replaces it with the next save', async () => {
    const person = await edit()
    api.current.on(PUT, errorResponse(409, 'PROFILE_CHANGED', 'Your details were changed elsewhere.'))
    const newer = fields.map((one) => (one.key === 'specialty' ? { ...one, value: 'Cardiology' } : one))
    api.current.on(GET_RECORD, { body: { fields: newer, version: 'v2' } })
    await person.type(field('Phone'), '478 555 0142')
    await person.click(button('Save details'))
    await screen.findByText(/Saved elsewhere: Specialty: Cardiology\./)
    expect(field('Phone').value).toBe('478 555 0142')
    api.current.on(PUT, { body: { fields: newer, version: 'v3' } })
    await person.click(button('Save details'))
    await screen.findByText('Your details were saved.')
    expect(api.current.requestsTo(PUT).at(-1)?.body).toMatchObject({ version: 'v2', values: { phone: '478 555 0142' } })
  })

  test('can be canceled', async () => {
    const person = await edit()
    await person.type(field('Phone'), '478 555 0142')
    await person.click(button('Cancel'))
    expect(detail('Phone')).toBe('Not entered')
    expect(api.current.requestsTo(PUT)).toEqual([])
  })
})

test('all of it can be confirmed at once', async () => {
  const person = await open()
  const confirmed = fields.map((one) => (one.value === null ? one : { ...one, confirmedOn: '2026-11-27' }))
  api.current.on(CONFIRM, { body: { fields: confirmed, version: 'v2' } })
  await person.click(button('All of this is right'))
  await screen.findByText('Your details were saved.')
  expect(api.current.requestsTo(CONFIRM)[0]?.body).toEqual({ version: 'v1' })
  expect(detail('Home')).toContain('confirmed November 27, 2026')
  expect(screen.queryByText(/entered for you/)).toBeNull()
})

test('can be seen as others see it', async () => {
  const person = await open()
  api.current.on('GET /api/account/record/seen-as/stranger', { body: { values: [] } })
  const shown = [{ key: 'languages', label: 'Languages', kind: 'choices', value: ['Tamil', 'Hindi'] }]
  api.current.on('GET /api/account/record/seen-as/member', { body: { values: shown } })
  const viewers = within(screen.getByRole('group', { name: 'See your details as', hidden: true }))
  await person.click(viewers.getByRole('button', { name: 'Everyone', hidden: true }))
  await screen.findByText('Everyone sees none of your details.')
  await person.click(viewers.getByRole('button', { name: 'Another member', hidden: true }))
  await screen.findByText('Tamil, Hindi')
})

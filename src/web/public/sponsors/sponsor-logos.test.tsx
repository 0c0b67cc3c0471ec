import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { useFakeApi } from '#tests/support/web/fake-api.ts'
import { SponsorLogos } from './sponsor-logos.tsx'

const api = useFakeApi()
const CALL = 'GET /api/sponsors'
afterEach(cleanup)

const kaveri = { id: 'kaveri', name: 'Kaveri Labs', logo: '/art/kaveri.svg', website: 'https://kaveri.example' }
const oconee = { id: 'oconee', name: 'Oconee Law', logo: '/art/oconee.svg', website: null }

test('logos link to sponsors with a website', async () => {
  api.current.on(CALL, { body: [kaveri, oconee] })
  render(<SponsorLogos sponsors={[]} />)
  const link = await screen.findByRole('link', { name: 'Kaveri Labs' })
  expect(link.getAttribute('href')).toBe('https://kaveri.example')
  screen.getByRole('img', { name: 'Oconee Law' })
  expect(screen.queryByRole('link', { name: 'Oconee Law' })).toBeNull()
})

test('the fresh response replaces what the server rendered', async () => {
  api.current.on(CALL, { body: [oconee] })
  render(<SponsorLogos sponsors={[kaveri]} />)
  screen.getByRole('img', { name: 'Kaveri Labs' })
  await screen.findByRole('img', { name: 'Oconee Law' })
  expect(screen.queryByRole('img', { name: 'Kaveri Labs' })).toBeNull()
})

test('an incomplete sponsor does not remove the others', async () => {
  api.current.on(CALL, { body: [{ id: 'kaveri', name: null }, oconee] })
  render(<SponsorLogos sponsors={[kaveri]} />)
  await screen.findByRole('img', { name: 'Oconee Law' })
  expect(screen.getAllByRole('img')).toHaveLength(1)
})

test.each([
  ['an empty list', { body: [] }],
  ['a bad status', { status: 500, body: { message: 'x', code: 'INTERNAL' } }],
  ['another shape', { body: { sponsors: [kaveri] } }],
  ['an incomplete sponsor', { body: [{ id: 'kaveri' }] }],
])('%s shows the empty state', async (_, answer) => {
  api.current.on(CALL, answer)
  render(<SponsorLogos sponsors={[kaveri]} />)
  await screen.findByText('No sponsors available at the moment.')
  expect(screen.queryByRole('img')).toBeNull()
})

test('after a network error the sponsors stay next to the message', async () => {
  api.current.on(CALL, 'no network')
  render(<SponsorLogos sponsors={[kaveri]} />)
  await screen.findByText('Failed to load sponsors')
  screen.getByRole('img', { name: 'Kaveri Labs' })
})

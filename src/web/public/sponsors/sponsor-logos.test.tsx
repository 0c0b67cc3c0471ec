import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { useFakeApi } from '#web/api/fake-api.ts'
import { SponsorWall } from './sponsor-wall.tsx'

const api = useFakeApi()
const CALL = 'GET /api/sponsors'
afterEach(cleanup)

const kaveri = { id: 'kaveri', name: 'Kaveri Labs', logo: '/art/kaveri.svg', website: 'https://kaveri.example' }
const oconee = { id: 'oconee', name: 'Oconee Law', logo: '/art/oconee.svg', website: null }

test('logos lead to the sponsors that have a site', async () => {
  api.current.on(CALL, { body: [kaveri, oconee] })
  render(<SponsorWall sponsors={[]} />)
  const link = await screen.findByRole('link', { name: 'Kaveri Labs' })
  expect(link.getAttribute('href')).toBe('https://kaveri.example')
  screen.getByRole('img', { name: 'Oconee Law' })
  expect(screen.queryByRole('link', { name: 'Oconee Law' })).toBeNull()
})

test('the fresh answer wins over what the server rendered', async () => {
  api.current.on(CALL, { body: [oconee] })
  render(<SponsorWall sponsors={[kaveri]} />)
  screen.getByRole('img', { name: 'Kaveri Labs' })
  await screen.findByRole('img', { name: 'Oconee Law' })
  expect(screen.queryByRole('img', { name: 'Kaveri Labs' })).toBeNull()
})

test('an incomplete sponsor takes no other off the wall', async () => {
  api.current.on(CALL, { body: [{ id: 'kaveri', name: null }, oconee] })
  render(<SponsorWall sponsors={[kaveri]} />)
  await screen.findByRole('img', { name: 'Oconee Law' })
  expect(screen.getAllByRole('img')).toHaveLength(1)
})

test.each([
  ['an empty list', { body: [] }],
  ['a bad status', { status: 500, body: { message: 'x', code: 'INTERNAL' } }],
  ['another shape', { body: { sponsors: [kaveri] } }],
  ['an incomplete sponsor', { body: [{ id: 'kaveri' }] }],
])('%s shows that there are none', async (_, answer) => {
  api.current.on(CALL, answer)
  render(<SponsorWall sponsors={[kaveri]} />)
  await screen.findByText('No sponsors available at the moment.')
  expect(screen.queryByRole('img')).toBeNull()
})

test('without a network the error stands beside what is there', async () => {
  api.current.on(CALL, 'no network')
  render(<SponsorWall sponsors={[kaveri]} />)
  await screen.findByText('Failed to load sponsors')
  screen.getByRole('img', { name: 'Kaveri Labs' })
})

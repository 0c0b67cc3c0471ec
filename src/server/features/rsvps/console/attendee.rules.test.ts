import { expect, test } from 'vitest'
import { isInState, sortAttendees } from './attendee.rules.ts'

test.each([
  ['coming', 0, ['active', 'coming']],
  ['coming', 2, ['active', 'coming', 'arrived']],
  ['paying', 0, ['active', 'paying']],
  ['waiting', 0, ['active', 'waiting']],
  ['cancelled', 0, ['cancelled']],
  ['cancelled', 1, ['active', 'arrived', 'cancelled']],
] as const)('%s with %d arrived is listed under %j', (status, arrived, states) => {
  const all = ['active', 'coming', 'paying', 'waiting', 'arrived', 'cancelled'] as const
  expect(all.filter((state) => isInState({ status, arrived }, state))).toEqual(states)
})

test('equal attendees are sorted by name, in both directions', () => {
  const guest = (name: string, guests: number) => ({ name, guests, status: 'coming' as const, arrived: 0, askedAt: 0 })
  const all = [guest('Chitra', 1), guest('Asha', 2), guest('Binu', 2)]
  const names = (order: 'up' | 'down') => sortAttendees(all, { sort: 'guests', order }).map(({ name }) => name)
  expect(names('up')).toEqual(['Chitra', 'Asha', 'Binu'])
  expect(names('down')).toEqual(['Asha', 'Binu', 'Chitra'])
})

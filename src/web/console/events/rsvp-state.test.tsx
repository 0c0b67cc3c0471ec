import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { RsvpCounts } from './rsvp-state.tsx'

afterEach(cleanup)
const counts = { coming: 0, waiting: 0, paying: 0, held: 0, arrived: 4 }

test.each([
  ['open', { coming: 4, held: 2 }, '4 of 6 seats taken, 2 awaiting confirmation, 4 checked in'],
  ['off', {}, 'This event is canceled.'],
] as const)('%s: %j', (state, given, text) => {
  const { container } = render(<RsvpCounts event={{ capacity: 6, counts: { ...counts, ...given }, state }} />)
  expect(container.textContent).toBe(text)
})

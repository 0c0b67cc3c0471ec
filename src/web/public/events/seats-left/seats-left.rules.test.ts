import { expect, test } from 'vitest'
import { parseSeatsLeft } from './seats-left.rules.ts'

const gala = { id: 'gala', seatsLeft: 38 }

test.each([
  [undefined, undefined],
  [null, undefined],
  [{ error: 'Not found' }, undefined],
  [{ events: [] }, []],
  [{ events: [gala, null, 'gala', { id: 'kites' }, { id: 7, seatsLeft: 1 }, { ...gala, seatsLeft: 1.5 }] }, [gala]],
])('%j has the seats %j', (reply, seats) => {
  expect(parseSeatsLeft(reply)).toEqual(seats)
})

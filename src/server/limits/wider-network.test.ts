import { expect, test } from 'vitest'
import { widerNetwork } from './wider-network.ts'

test.each([
  ['2001:db8:1:2', '2001:db8:1'],
  ['2001:db8:0:0', '2001:db8:0'],
  ['203.0.113.7', null],
  ['somebody@example.org', null],
  ['2001:db8:1', null],
])('around %s lies %s', (subject, network) => expect(widerNetwork(subject)).toBe(network))

import { expect, test } from 'vitest'
import { widerNetwork } from './wider-network.ts'

test.each([
  ['2001:db8:1:2', '2001:db8:1'],
  ['2001:db8:0:0', '2001:db8:0'],
  ['203.0.113.7', null],
  ['someone@example.org', null],
  ['2001:db8:1', null],
])('the network around %s is %s', (subject, network) => expect(widerNetwork(subject)).toBe(network))

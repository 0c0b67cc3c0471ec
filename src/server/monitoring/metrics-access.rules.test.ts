import { expect, test } from 'vitest'
import { parseBearer, isOnThisMachine } from './metrics-access.rules.ts'

test.each<[string, string, string[], boolean, boolean]>([
  ['from this machine', '127.0.0.1', ['host', 'accept'], false, true],
  ['from this machine over IPv6', '::1', ['host'], false, true],
  ['from this machine, IPv4 in IPv6', '::ffff:127.0.0.1', ['host'], false, true],
  ['from the network', '192.0.2.7', ['host'], false, false],
  ['from the network, an address that begins alike', '::ffff:127.0.0.1.example', ['host'], false, false],
  ['through a proxy that the settings know of', '127.0.0.1', ['host'], true, false],
  ['through a proxy they do not know of: X-Forwarded-For', '127.0.0.1', ['host', 'x-forwarded-for'], false, false],
  ['through a proxy they do not know of: Forwarded', '127.0.0.1', ['host', 'forwarded'], false, false],
  ['through a proxy they do not know of: Via', '127.0.0.1', ['via'], false, false],
  ['through a proxy they do not know of: X-Real-IP', '127.0.0.1', ['x-real-ip'], false, false],
  ['through a CDN', '127.0.0.1', ['cf-connecting-ip'], false, false],
])('%s', (_name, socketAddress, headerNames, isBehindProxy, expected) => {
  const caller = { socketAddress, headerNames }
  expect(isOnThisMachine(caller, isBehindProxy)).toBe(expected)
})

test.each([
  ['Bearer abc', 'abc'],
  ['bearer abc', 'abc'],
  ['Bearer a b', null],
  ['Basic abc', null],
  ['Bearer ', null],
  [undefined, null],
])('the token of "%s"', (header, token) => expect(parseBearer(header)).toBe(token))

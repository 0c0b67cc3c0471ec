import { expect, test } from 'vitest'
import { limitSubject } from './addresses.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['127.0.0.1', '127.0.0.1'],
  ['127.8.9.10', '127.8.9.10'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::99', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2'],
  ['2001:DB8:1:2::', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::2:0:0:0:1', '2001:db8:0:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
])('%s counts as %s', (address, subject) => {
  expect(limitSubject(address)).toBe(subject)
})

test('all addresses of an IPv6 /64 network are one subject, and the neighboring network is another', () => {
  const subjects = new Set(
    Array.from({ length: 200 }, (_, i) => limitSubject(`2001:db8:1:2:${i.toString(16)}::${i + 1}`)),
  )
  expect([...subjects]).toEqual(['2001:db8:1:2'])
  expect(limitSubject('2001:db8:1:3::1')).not.toBe('2001:db8:1:2')
})

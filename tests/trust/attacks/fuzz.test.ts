import { expect, test } from 'vitest'
import { endpointAt } from './fuzz.ts'

test.each([
  ['GET', '/api/account/devices', 'listDevices'],
  ['DELETE', '/api/account/devices', 'signOutEverywhere'],
  ['DELETE', '/api/account/devices/x', 'signOutDevice'],
  ['PATCH', '/api/account/devices', undefined],
  ['GET', '/api/account/devices/', undefined],
])('%s %s is answered by %s', (method, path, name) => {
  expect(endpointAt(method, path)?.name).toBe(name)
})

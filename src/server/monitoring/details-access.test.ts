import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { createDetailsAccess } from './details-access.ts'

type Settings = Parameters<typeof createDetailsAccess>[0]

test.each<[string, Partial<Settings>, string, Record<string, string>, boolean]>([
  ['this machine', {}, '127.0.0.1', {}, true],
  ['this machine, of a site behind a proxy', { production: true, trustProxy: 1 }, '::1', {}, true],
  ['the proxy of this machine', { production: true, trustProxy: 1 }, '127.0.0.1', { 'x-forwarded-for': 'x' }, false],
  ['a named proxy', { trustProxy: ['127.0.0.1'] }, '127.0.0.1', { forwarded: 'for=127.0.0.1' }, false],
  ['a proxy that may add nothing', { production: true }, '127.0.0.1', {}, false],
  ['it, with the token', { production: true, metricsToken: 't' }, '127.0.0.1', { authorization: 'Bearer t' }, true],
  ['the network', {}, '192.0.2.7', {}, false],
  ['the network, as if from this machine', { trustProxy: 1 }, '192.0.2.7', { 'x-forwarded-for': '127.0.0.1' }, false],
  ['the network, with the token', { metricsToken: 't' }, '192.0.2.7', { authorization: 'Bearer t' }, true],
  ['the network, with another', { metricsToken: 't' }, '192.0.2.7', { authorization: 'Bearer u' }, false],
])('%s', (_name, settings, remoteAddress, headers, expected) => {
  const mayRead = createDetailsAccess({ metricsToken: null, production: false, trustProxy: false, ...settings })
  const request = { raw: { socket: { remoteAddress } }, headers: { host: 'x', ...headers } }
  expect(mayRead(request as unknown as FastifyRequest)).toBe(expected)
})

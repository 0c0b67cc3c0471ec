import { expect, test } from 'vitest'
import { createSecrets } from '#server/lib/secrets.ts'
import { createSessionTokens } from '#server/features/auth/sessions/session-token.service.ts'
import { createViewTokens } from './view-token.service.ts'

const NOW = Date.UTC(2030, 0, 1)
const secrets = createSecrets('a secret of more than thirty-two characters')
const views = createViewTokens(secrets, 'https://site.example')
const claims = { viewingId: 'v1', accountId: 'a1', officerVersion: 3, expiresAt: NOW + 60_000 }

test('a view token can be read until it expires', async () => {
  const token = await views.sign(claims, NOW)
  expect(await views.verify(token, NOW)).toEqual(claims)
  expect(await views.verify(token, NOW + 61_000)).toBeNull()
})

test('an altered token and a session token are rejected', async () => {
  const token = await views.sign(claims, NOW)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = alphabet.indexOf(token.at(-1) ?? '')
  // The last character of 32 bytes has two unused bits.
  const twin = token.slice(0, -1) + alphabet[last ^ 1]
  expect(Buffer.from(twin.split('.')[2] ?? '', 'base64url')).toEqual(
    Buffer.from(token.split('.')[2] ?? '', 'base64url'),
  )
  expect(await views.verify(twin, NOW)).toBeNull()
  const session = { accountId: 'a1', sessionId: 's1', tokenVersion: 3, expiresAt: NOW + 60_000 }
  const sessions = createSessionTokens(secrets, 'https://site.example')
  expect(await views.verify(await sessions.sign(session, NOW), NOW)).toBeNull()
})

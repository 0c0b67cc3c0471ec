import { expect, test } from 'vitest'
import { createSecrets } from '#server/platform/secrets.ts'
import { createSessionTokens } from '../auth/session-token.ts'
import { createViewTokens } from './view-token.ts'

const NOW = Date.UTC(2030, 0, 1)
const secrets = createSecrets('a secret of more than thirty-two characters')
const views = createViewTokens(secrets, 'https://site.example')
const claims = { viewingId: 'v1', accountId: 'a1', officerVersion: 3, expiresAt: NOW + 60_000 }

test('a view reads back as it was written, until it is over', async () => {
  const token = await views.write(claims, NOW)
  expect(await views.read(token, NOW)).toEqual(claims)
  expect(await views.read(token, NOW + 61_000)).toBeNull()
})

test('another text of the same signature, and a session, are no views', async () => {
  const token = await views.write(claims, NOW)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = alphabet.indexOf(token.at(-1) ?? '')
  // The last character of 32 bytes has two bits to spare.
  const twin = token.slice(0, -1) + alphabet[last ^ 1]
  expect(Buffer.from(twin.split('.')[2] ?? '', 'base64url')).toEqual(
    Buffer.from(token.split('.')[2] ?? '', 'base64url'),
  )
  expect(await views.read(twin, NOW)).toBeNull()
  const session = { accountId: 'a1', sessionId: 's1', tokenVersion: 3, expiresAt: NOW + 60_000 }
  const sessions = createSessionTokens(secrets, 'https://site.example')
  expect(await views.read(await sessions.write(session, NOW), NOW)).toBeNull()
})

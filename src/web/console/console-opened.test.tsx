import { expect, test } from 'vitest'
import { tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'

const api = useFakeApi()

test('a console that is opened by its address asks for the officer before React starts', async () => {
  localStorage.setItem('token', tokenFor(3_600))
  api.current.on('GET /api/console/me', 'no network')
  window.history.replaceState(null, '', '/console/officers')
  await import('./console.tsx')
  expect(api.current.requestsTo('GET /api/console/me')).toHaveLength(1)
})

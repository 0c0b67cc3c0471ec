import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const DEVICES = '/api/account/devices'
const PROFILE = '/api/account/profile'

async function member() {
  const laptop = app().browser()
  const person = await laptop.join({ levelKey: 'medical_student' })
  const phone = app().browser()
  await phone.logIn(person.email)
  return { laptop, phone, ...person }
}

interface Listed {
  id: string
  isCurrent: boolean
}

test('lists active sessions and marks the current one', async () => {
  const { laptop, phone } = await member()
  const { status, body } = await laptop.get(DEVICES)
  expect(status).toBe(200)
  const iso = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/) as string
  const one = { id: expect.any(String) as string, browser: 'Chrome on Linux', signedInAt: iso, lastSeenAt: iso }
  expect(body).toHaveLength(2)
  expect(body).toEqual(
    expect.arrayContaining([
      { ...one, isCurrent: true },
      { ...one, isCurrent: false },
    ]),
  )
  const seenByPhone = (await phone.get(DEVICES)).body as Listed[]
  expect(seenByPhone.find(({ isCurrent }) => isCurrent)?.id).not.toBe(
    (body as Listed[]).find(({ isCurrent }) => isCurrent)?.id,
  )
})

test('ended sessions are not listed: signed out, refreshed, or older than seven days', async () => {
  const { laptop, email } = await member()
  await app().advance(7 * DAY_MS - 60_000)
  const fresh = await laptop.post('/api/auth/refresh')
  laptop.token = fresh.body.token as string
  expect(((await laptop.get(DEVICES)).body as Listed[]).filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
  await app().advance(120_000)
  expect((await laptop.get(DEVICES)).body).toHaveLength(1)
  const other = app().browser()
  await other.logIn(email)
  expect((await laptop.get(DEVICES)).body).toHaveLength(2)
})

describe('signing out one device', () => {
  test('ends it immediately, and no other', async () => {
    const { laptop, phone } = await member()
    const other = ((await laptop.get(DEVICES)).body as Listed[]).find(({ isCurrent }) => !isCurrent)
    expect((await laptop.call('DELETE', `${DEVICES}/${other?.id}`)).status).toBe(204)
    expect((await phone.get(PROFILE)).body.code).toBe('SESSION_EXPIRED')
    expect((await laptop.get(DEVICES)).body).toHaveLength(1)
  })

  test('another account’s or an unknown session: no effect, and nothing is revealed', async () => {
    const [ana, meera] = [await member(), await member()]
    const [hers] = (await meera.laptop.get(DEVICES)).body as Listed[]
    for (const id of [hers?.id, 'no-such-device']) {
      expect((await ana.laptop.call('DELETE', `${DEVICES}/${id}`)).status).toBe(204)
    }
    expect((await meera.laptop.get(PROFILE)).status).toBe(200)
    expect((await meera.phone.get(PROFILE)).status).toBe(200)
  })
})

test('signing out everywhere invalidates every token; the caller continues with the new one', async () => {
  const { laptop, phone } = await member()
  const { status, body } = await laptop.call('DELETE', DEVICES)
  expect(status).toBe(200)
  expect(Object.keys(body as object)).toEqual(['token'])
  expect((await phone.get(PROFILE)).body.code).toBe('SESSION_EXPIRED')
  expect((await laptop.get(PROFILE)).body.code).toBe('SESSION_EXPIRED')
  laptop.token = body.token as string
  expect((await laptop.get(DEVICES)).body).toMatchObject([{ isCurrent: true }])
})

import { afterEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
afterEach(() => app().standins.control({ mail: 'ok' }))

describe('emails survive mail server failures', () => {
  test.each(['refuse', 'reset', 'temporary', 'error', 'limited'] as const)(
    '%s: the visitor gets the usual response, and the email arrives once after the server recovers',
    async (mail) => {
      await app().standins.control({ mail })
      const { status, person } = await app().browser().register()
      expect(status).toBe(201)
      await app().drain()
      expect(app().standins.mails(person.email)).toEqual([])
      await app().standins.control({ mail: 'ok' })
      for (let turn = 0; turn < 3; turn++) {
        await app().advance(60_000)
        await app().drain()
      }
      expect(app().standins.mails(person.email)).toHaveLength(1)
    },
  )

  test('an outage of two hours delays emails and loses none', async () => {
    await app().standins.control({ mail: 'refuse' })
    const people = []
    for (let count = 0; count < 3; count++) people.push((await app().browser().register()).person)
    for (let turn = 0; turn < 4; turn++) {
      await app().advance(HOUR_MS / 2)
      await app().drain()
    }
    await app().standins.control({ mail: 'ok' })
    await app().advance(HOUR_MS)
    await app().drain()
    for (const { email } of people) expect(app().standins.mails(email)).toHaveLength(1)
  })

  test('a permanently rejected address becomes a dead letter immediately and does not block others', async () => {
    await app().standins.control({ mail: 'permanent', times: 1 })
    const { person: typo } = await app().browser().register()
    await app().drain()
    const { person } = await app().browser().register()
    await app().drain()
    expect(app().standins.mails(typo.email)).toEqual([])
    expect(app().standins.mails(person.email)).toHaveLength(1)
    const dead = await app().database.db.selectFrom('outbox').selectAll().where('deadAt', 'is not', null).execute()
    expect(dead).toHaveLength(1)
    expect(dead[0]).toMatchObject({ kind: 'email.verification', attempts: 1 })
    expect(dead[0]?.lastError).toMatch(/^mail refused 5\d\d$/)
  })

  test('after four days it becomes a dead letter and the officers are alerted', async () => {
    await app().standins.control({ mail: 'temporary' })
    const { person } = await app().browser().register()
    await app().drain()
    await app().advance(4 * DAY_MS + HOUR_MS)
    await app().drain()
    await app().standins.control({ mail: 'ok' })
    await app().advance(HOUR_MS)
    await app().drain()
    expect(app().standins.mails(person.email)).toEqual([])
    expect(
      app()
        .standins.mails('office@example.org')
        .map(({ subject }) => subject),
    ).toContain('Website alert: Something could not be delivered')
  })

  test('an email sent twice has the same Message-ID, so that email clients show one', async () => {
    await app().standins.control({ mail: 'lostReply', times: 1 })
    const { person } = await app().browser().register()
    for (let turn = 0; turn < 3; turn++) {
      await app().drain()
      await app().advance(60_000)
    }
    const ids = app()
      .standins.mails(person.email)
      .map(({ headers }) => headers['message-id'])
    expect(ids.length).toBeGreaterThan(0)
    expect(new Set(ids).size).toBe(1)
  })
})

describe('every email', () => {
  test('is from the association, to one person, marked as auto-generated, as HTML and text', async () => {
    const { person } = await app().browser().register()
    await app().drain()
    const [mail] = app().standins.mails(person.email)
    expect(mail?.to).toEqual([person.email])
    expect(mail?.from).toContain('office@example.org')
    expect(mail?.headers['auto-submitted']).toBe('auto-generated')
    expect(mail?.headers['message-id']).toMatch(/^<[0-9a-z]{26}@example\.org>$/)
    expect(mail?.html).toContain('<!doctype html>')
    expect(mail?.text).toContain('100 Sample Parkway')
  })

  test.each(['Ana <b>Rao</b>', 'Ana, Bcc: all@example.org', 'Ana =?utf-8?q?x?=', '"Ana" <all@example.org>', 'अनाघा'])(
    'a first name of %s is only shown as a name',
    async (firstName) => {
      const { person, status } = await app().browser().register({ firstName })
      expect(status).toBe(201)
      await app().drain()
      const mails = app().standins.mails(person.email)
      expect(mails).toHaveLength(1)
      expect(mails[0]?.to).toEqual([person.email])
      expect(mails[0]?.headers).not.toHaveProperty('bcc')
      expect(mails[0]?.subject).toContain('Please verify your email address, ')
      expect(mails[0]?.html).not.toContain('<b>Rao')
      expect(app().standins.mails('all@example.org')).toEqual([])
    },
  )
})

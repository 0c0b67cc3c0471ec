import { describe, expect, test } from 'vitest'
import { DAY_MS, deactivate } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const TAKEN = 'This username is already taken. Please choose another.'

describe('usernames (docs/product-rules.md#usernames)', () => {
  const app = useTestApp()
  const takenBody = { message: TAKEN, code: 'USERNAME_TAKEN', errors: { username: TAKEN } }

  test.each(['chitra', 'Chitra', 'CHITRA', ' chitra '])('one in use is taken, also written %s', async (username) => {
    const holder = await app()
      .database.db.selectFrom('account')
      .select('id')
      .where('username', '=', 'chitra')
      .executeTakeFirst()
    if (!holder) await app().browser().join({ username: 'chitra', levelKey: 'medical_student' })
    const { status, body } = await app().browser().register({ username })
    expect(status).toBe(409)
    expect(body).toEqual(takenBody)
  })

  test('one in a pending registration is reserved for 24 hours', async () => {
    await app().browser().register({ username: 'Bharati' })
    const refused = await app().browser().register({ username: 'bharati' })
    expect(refused.status).toBe(409)
    expect(refused.body).toEqual(takenBody)
    await app().advance(DAY_MS + 1_000)
    expect((await app().browser().register({ username: 'bharati' })).status).toBe(201)
  })

  test('the same address can reuse its reserved username', async () => {
    const visitor = app().browser()
    const { person } = await visitor.register({ username: 'again-and-again' })
    const second = await app()
      .browser()
      .register({ ...person, email: person.email.toUpperCase() })
    expect(second.status).toBe(201)
  })

  test('the own address may be the username, in any case, and logs in', async () => {
    const visitor = app().browser()
    const email = 'own.address@example.com'
    await visitor.join({ email, username: 'Own.Address@Example.com', levelKey: 'medical_student' })
    expect((await app().browser().logIn('OWN.ADDRESS@EXAMPLE.COM')).status).toBe(200)
  })

  test('another address may not be, whether or not it has an account', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    const answers = await Promise.all(
      [member.email, 'nobody@example.com'].map((username) =>
        app()
          .browser()
          .register({ username, email: `x${username.length}@example.com` }),
      ),
    )
    for (const { status, body } of answers) {
      const sentence = 'A username that looks like an email address must be your own email address.'
      expect(status).toBe(400)
      expect(body).toEqual({ message: sentence, code: 'INVALID_INPUT', errors: { username: sentence } })
    }
  })

  test('a username that equals the own address is never checked: an existing account is not revealed', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    const { status } = await app().browser().register({ email: member.email, username: member.email })
    expect(status).toBe(201)
  })

  test('of a person who deleted the account, address and username are available again', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    await deactivate(app(), member.email, 'self')
    const again = app().browser()
    const { status } = await again.register({
      email: member.email,
      username: member.username,
      levelKey: 'medical_student',
    })
    expect(status).toBe(201)
    await again.verify(member.email)
    const start = await again.post('/api/stripe/checkout/start', { levelKey: 'medical_student', email: member.email })
    expect(start.body).toMatchObject({ completed: true, user: { username: member.username } })
    expect((await app().browser().logIn(member.username)).status).toBe(200)
  })

  test('of a deactivated account, they are not', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    await deactivate(app(), member.email, 'officer')
    expect((await app().browser().register({ username: member.username })).status).toBe(409)
  })

  test('of twenty concurrent requests for one username, one succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        app()
          .browser()
          .register({ username: index % 2 === 0 ? 'sought-after' : 'Sought-After' }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)])
  })
})

describe('several registrations for one address (docs/product-rules.md#usernames)', () => {
  const app = useTestApp()

  test('are pending side by side, each email naming its username; verifying one deletes the others', async () => {
    const email = 'several@example.com'
    const [mine, other] = [app().browser(), app().browser()]
    await other.register({ email, username: 'by-a-stranger', password: 'password-of-a-stranger' })
    await app().drain()
    const strangersLink = await other.linkInMail(email, '/email-verification')
    await mine.register({ email, username: 'by-myself' })
    await app().drain()
    const emails = app().standins.mails(email)
    expect(emails.map(({ text }) => /the username (\S+)\./.exec(text ?? '')?.[1])).toEqual([
      'by-myself',
      'by-a-stranger',
    ])

    expect((await mine.verify(email)).body).toMatchObject({ next: 'checkout', granted: true })
    const late = await other.post('/api/auth/verify-email', { token: strangersLink.searchParams.get('token') })
    expect(late.status).toBe(410)
    expect(late.body.code).toBe('LINK_EXPIRED')
    await mine.post('/api/stripe/checkout/start', { levelKey: 'medical_student', email })
    expect((await app().browser().logIn(email, 'password-of-a-stranger')).status).toBe(401)
    expect((await app().browser().logIn(email)).status).toBe(200)
  })

  test('the username of a deleted registration is available again', async () => {
    const email = 'discarded@example.com'
    await app().browser().register({ email, username: 'left-behind' })
    const mine = app().browser()
    await mine.register({ email, username: 'kept-for-me' })
    await mine.verify(email)
    await mine.post('/api/stripe/checkout/start', { levelKey: 'medical_student', email })
    await app().advance(DAY_MS + 1_000)
    expect((await app().browser().register({ username: 'left-behind' })).status).toBe(201)
    expect((await app().browser().register({ username: 'kept-for-me' })).status).toBe(409)
  })
})

describe('a username lost during payment', () => {
  const app = useTestApp()

  test('a person who paid becomes a member anyway, with digits added to the username', async () => {
    const slow = app().browser()
    const { person, start } = await slow.registerAndStart({ username: 'sought-name' })
    await app()
      .database.db.updateTable('loginName')
      .set({ reservedUntil: 0 })
      .where('nameKey', '=', 'sought-name')
      .execute()
    await app().browser().join({ username: 'sought-name', levelKey: 'medical_student' })
    const answer = await slow.verifySession(await slow.pay(start.body.sessionUrl as string))
    expect(answer.body).toMatchObject({ ready: true, user: { username: 'sought-name2', email: person.email } })
  })
})

import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const OFFICERS = 'office@example.org'
const THANKS = "Thank you! Your message has been sent successfully. We'll get back to you soon."

const fields = {
  name: 'Leela Varghese',
  email: 'leela@example.com',
  subject: 'Sponsorship Inquiry',
  message: 'We would like to help.\r\n\r\nWhom do we ask?',
}

async function write(over: Record<string, unknown> = {}, visitor = app().browser()) {
  const recaptchaToken = await visitor.botToken('contact_form')
  return visitor.post('/api/contact', { ...fields, recaptchaToken, ...over })
}

const kept = () => app().database.db.selectFrom('contactMessage').selectAll().orderBy('receivedAt').execute()

describe('a message', () => {
  test('is stored, emailed to the officers in the association’s name, and acknowledged without its text', async () => {
    const answer = await write()
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ success: true, message: THANKS })
    expect(await kept()).toMatchObject([
      {
        name: 'Leela Varghese',
        email: 'leela@example.com',
        subject: 'Sponsorship Inquiry',
        message: 'We would like to help.\n\nWhom do we ask?',
        answeredAt: null,
      },
    ])
    await app().drain()
    const [toOfficers] = app().standins.mails(OFFICERS)
    expect(toOfficers?.subject).toBe('Message from the website: Sponsorship Inquiry')
    expect(toOfficers?.text).toContain('We would like to help.')
    expect(toOfficers?.headers['reply-to']).toContain('leela@example.com')
    expect(toOfficers?.from).not.toContain('leela')
    const [toSender] = app().standins.mails('leela@example.com')
    expect(toSender?.subject).toBe('We received your message')
    expect(toSender?.text).not.toContain('We would like to help')
    expect(toSender?.headers['reply-to']).toBeUndefined()
  })

  test('is not lost while the mail server is unavailable', async () => {
    await app().standins.control({ mail: 'refuse', times: 2 })
    expect((await write({ email: 'patient@example.com' })).status).toBe(200)
    await app().drain()
    await app().advance(HOUR_MS)
    await app().drain()
    expect(app().standins.mails('patient@example.com')).toHaveLength(1)
  })
})

describe('rejected input', () => {
  test('is reported in the specified order, every field at once', async () => {
    const before = await kept()
    const answer = await write({ name: ' ', email: '', subject: '', message: '' })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      message: 'Name is required',
      code: 'INVALID_INPUT',
      errors: {
        name: 'Name is required',
        email: 'Email is required',
        subject: 'Subject is required',
        message: 'Message is required',
      },
      success: false,
      error: 'Name is required',
    })
    expect(await kept()).toEqual(before)
  })

  test.each([
    ['an address without an @', { email: 'leela' }, { email: 'Please enter a valid email address' }],
    ['a short message', { message: '  too short ' }, { message: 'Message must be at least 10 characters long' }],
    ['a very long message', { message: 'x'.repeat(5_001) }, { message: 'Message cannot exceed 5,000 characters' }],
    [
      'a control character',
      { message: 'a bell \u0007 sounds in here' },
      { message: 'Please use ordinary characters only.' },
    ],
    [
      'a line break in the subject',
      { subject: 'Hello\r\nBcc: all@example.com' },
      { subject: 'Please use ordinary characters only.' },
    ],
    [
      'a line break in the name',
      { name: 'Leela\nBcc: all@example.com' },
      { name: 'Please use ordinary characters only.' },
    ],
    ['a number', { name: 7 }, { name: 'Name is required' }],
    ['a list', { message: ['a', 'b'] }, { message: 'Message is required' }],
  ])('%s', async (_, over, errors) => {
    const answer = await write(over)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual(errors)
  })

  test('a message of nine characters with surrounding spaces is too short; ten are sent', async () => {
    expect((await write({ message: ' 123456789 ' })).status).toBe(400)
    expect((await write({ message: ' 1234567890 ' })).status).toBe(200)
  })

  test('without a bot check nothing is stored, and the sentence is that of the form', async () => {
    const before = await kept()
    const answer = await write({ recaptchaToken: 'made-up' })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      code: 'BOT_CHECK_FAILED',
      message: 'Security verification failed. Please refresh the page and try again.',
    })
    expect(await kept()).toEqual(before)
  })

  test('while the bot check is unavailable: 503; messages do not bypass the check', async () => {
    await app().standins.control({ bot: 'error' })
    const answer = await write({ recaptchaToken: 'any' })
    expect(answer.status).toBe(503)
    expect(answer.body.code).toBe('BOT_CHECK_UNAVAILABLE')
    await app().standins.control({ bot: 'ok' })
  })
})

describe('limits', () => {
  test('five in ten minutes per address, with the figures', async () => {
    const visitor = app().browser()
    for (let turn = 0; turn < 5; turn++) expect((await write({}, visitor)).status).toBe(200)
    const refused = await write({}, visitor)
    expect(refused.status).toBe(429)
    expect(refused.body).toMatchObject({ code: 'RATE_LIMITED', limit: 5, window: 600, success: false })
    await app().advance(601_000)
    expect((await write({}, visitor)).status).toBe(200)
  })

  test('twenty in an hour', async () => {
    const visitor = app().browser()
    for (let round = 0; round < 4; round++) {
      for (let turn = 0; turn < 5; turn++) expect((await write({}, visitor)).status).toBe(200)
      await app().advance(601_000)
    }
    expect((await write({}, visitor)).body).toMatchObject({ code: 'RATE_LIMITED', limit: 20, window: 3_600 })
  })

  test('three acknowledgements an hour per address, silently', async () => {
    const email = 'flooded@example.com'
    for (let turn = 0; turn < 5; turn++) expect((await write({ email })).status).toBe(200)
    await app().drain()
    expect(app().standins.mails(email)).toHaveLength(3)
  })
})

import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()

/** Headers with which a request could try to spoof the site's origin. */
const poisons: Record<string, string>[] = [
  { 'x-forwarded-host': 'evil.example' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-port': '444' },
  { forwarded: 'host=evil.example;proto=https' },
  { 'x-host': 'evil.example' },
  { 'x-original-host': 'evil.example' },
  { 'x-forwarded-server': 'evil.example' },
  { 'x-original-url': 'https://evil.example/' },
  { origin: 'https://evil.example' },
  { referer: 'https://evil.example/' },
]

test.each(poisons)('links in emails use the configured origin despite %o', async (headers) => {
  const browser = app().browser()
  const member = await browser.join({ levelKey: 'medical_student' })
  const { person } = await app().browser().register()
  const recaptchaToken = await browser.botToken('password_reset')
  await browser.call('POST', '/api/email/forgot-password', { email: member.email, recaptchaToken }, headers)
  const resendToken = await browser.botToken('resend_verification')
  browser.token = null
  await browser.call(
    'POST',
    '/api/auth/resend-verification',
    { email: person.email, recaptchaToken: resendToken },
    headers,
  )
  await app().drain()
  const messages = [...app().standins.mails(member.email), ...app().standins.mails(person.email)]
  expect(messages.length).toBeGreaterThanOrEqual(4)
  for (const { subject, text, html } of messages) {
    expect(`${text ?? ''}${html ?? ''}`, subject ?? '').not.toContain('evil.example')
    for (const [link] of (text ?? '').matchAll(/https?:\/\/[^\s/]+/g)) expect(link).toBe('http://localhost:3000')
  }
})

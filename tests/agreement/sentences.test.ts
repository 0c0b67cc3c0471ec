import { describe, expect, test } from 'vitest'
import { changePassword, deleteAccount, updateProfile } from '#contract/account-changes.ts'
import { changeEmail, confirmEmail, stopEmailChange } from '#contract/account-email.ts'
import { forgotPassword, login, register, resendVerification, resetPassword, verifyEmail } from '#contract/auth.ts'
import { openPortal } from '#contract/billing.ts'
import { sendMessage } from '#contract/contact.ts'
import { giveCredentials, giveTraining } from '#contract/credentials.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { messages } from '#contract/messages.ts'
import { confirmSubscription, leaveNewsletter, subscribe, unsubscribe } from '#contract/newsletter.ts'
import { startCheckout } from '#contract/membership.ts'
import {
  cancelRsvp,
  changeRsvp,
  confirmRsvp,
  downloadCertificate,
  giveUpRsvpPayment,
  payRsvp,
  readOwnRsvp,
  sendRsvp,
  verifyRsvpPayment,
} from '#contract/rsvp.ts'
import { startSponsorship } from '#contract/sponsors.ts'
import type { TestBrowser } from '#tests/support/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { checkAddress } from '#web/features/auth/address.rules.ts'
import { checkNewPassword } from '#web/features/auth/new-password.rules.ts'
import { problemsOf } from '#web/features/forms/problems.rules.ts'
import { checkRegistration } from '#web/features/membership/registration.rules.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'off' } })

type Body = Record<string, unknown>

/** A body of each call that has nothing wrong with it. */
const good: [Endpoint, Body][] = [
  [
    register,
    {
      email: 'ana@example.com',
      username: 'ana-rao',
      firstName: 'Ana',
      lastName: 'Rao',
      password: 'monsoon-in-macon',
      levelKey: 'annual_member',
    },
  ],
  [login, { identifier: 'ana', password: 'monsoon-in-macon' }],
  [verifyEmail, { token: 'x'.repeat(43) }],
  [verifyEmail, { email: 'ana@example.com', code: '123456' }],
  [resendVerification, { email: 'ana@example.com' }],
  [forgotPassword, { email: 'ana@example.com' }],
  [resetPassword, { token: 'x'.repeat(43), userId: 'some-id', newPassword: 'monsoon-in-macon' }],
  [startCheckout, { levelKey: 'annual_member', email: 'ana@example.com', firstName: 'Ana', lastName: 'Rao' }],
  [updateProfile, { username: 'ana-rao', name: { first: 'Ana', last: 'Rao' } }],
  [changePassword, { currentPassword: 'monsoon-in-macon', newPassword: 'a-quieter-veranda' }],
  [changeEmail, { email: 'ana.rao@example.com', password: 'monsoon-in-macon' }],
  [confirmEmail, { token: 'x'.repeat(43) }],
  [stopEmailChange, { token: 'x'.repeat(43) }],
  [deleteAccount, { password: 'monsoon-in-macon' }],
  [openPortal, { levelKey: 'annual_member' }],
  [giveCredentials, { npi: '1234567893', licenceState: 'GA' }],
  [giveTraining, { stage: 'student', place: 'Emory', endsOn: '2030-05-31' }],
  [subscribe, { email: 'ana@example.com', source: 'homepage' }],
  [unsubscribe, { email: 'ana@example.com' }],
  [confirmSubscription, { token: 'x.y.z' }],
  [leaveNewsletter, { token: 'x.y' }],
  [
    startSponsorship,
    {
      name: 'Ana',
      email: 'ana@example.com',
      company: 'Kaveri Labs',
      phone: '404 555 0100',
      message: 'Glad to help.',
      tierName: 'Silver',
      amount: '1000',
    },
  ],
  [sendRsvp, { name: 'Ana', email: 'ana@example.com', guests: 1, meals: ['Fish', 'Rice'] }],
  [changeRsvp, { token: 'x.y', name: 'Ana', guests: 0, meals: [] }],
  [readOwnRsvp, { token: 'x.y' }],
  [cancelRsvp, { token: 'x.y' }],
  [payRsvp, { token: 'x.y' }],
  [confirmRsvp, { token: 'x.y' }],
  [downloadCertificate, { token: 'x.y' }],
  [verifyRsvpPayment, { session_id: 'cs_1', nonce: 'secret' }],
  [giveUpRsvpPayment, { order: 'order', nonce: 'secret' }],
  [sendMessage, { name: 'Ana', email: 'ana@example.com', subject: 'A question', message: 'Whom do we ask?' }],
]

const BAD: unknown[] = [
  '',
  ' ',
  'x',
  'xy',
  ' xy ',
  'x'.repeat(31),
  'x'.repeat(51),
  'x'.repeat(65),
  'x'.repeat(129),
  'x'.repeat(2_000),
  'a b',
  '.dot',
  '@at',
  'no@dot',
  'a@b..example',
  'a@b.example\n',
  'tab\tin',
  'nul\u0000',
  'turned\u202e',
  '12345',
  null,
  7,
  true,
  [],
  ['x'],
  {},
]

/** Sentences only the server can know to say. */
const SERVER_ALONE = new Set<string>([
  messages.password.common,
  messages.password.personal,
  messages.username.foreignEmail,
  messages.username.taken,
  messages.code.wrong,
  messages.email.same,
  messages.changePassword.current.incorrect,
  messages.password.incorrect,
  messages.sponsor.amount.mismatch,
  messages.sponsor.tier,
])

/** What the browser says with the contract's schema: of two shapes, the one that names the body's fields. */
function browserSays({ body: schema }: Endpoint, body: Body): Record<string, string | undefined> {
  const shapes = (schema as { def?: { options?: object[] } } | undefined)?.def?.options
  const fitting = shapes?.find((shape) =>
    Object.keys(body).some((field) => field in (shape as { shape: object }).shape),
  )
  return problemsOf((fitting ?? schema) as Parameters<typeof problemsOf>[0], body as never)
}

let member: TestBrowser | null = null

async function join(): Promise<TestBrowser> {
  const browser = app().browser()
  await browser.join({ levelKey: 'medical_student' })
  return browser
}

/** The sentences of the server's refusal by field; none when it refused for another reason, or took it. */
async function serverSays({ method, path, access }: Endpoint, body: Body): Promise<Record<string, string>> {
  const browser = access === 'member' ? (member ?? (await join())) : app().browser()
  const answer = await browser.call(method, path, body)
  // What was taken may have ended the session, or changed who it was.
  member = access === 'member' && answer.status >= 400 ? browser : null
  return (answer.body?.errors ?? {}) as Record<string, string>
}

describe.each(
  good.map(([endpoint, body]) => [`${endpoint.path} with ${Object.keys(body).join(', ')}`, endpoint, body] as const),
)('%s', (_name, endpoint, body) => {
  test('a body with nothing wrong is not complained about by either', async () => {
    expect(browserSays(endpoint, body)).toEqual({})
    const said = await serverSays(endpoint, body)
    expect(Object.values(said).filter((sentence) => !SERVER_ALONE.has(sentence))).toEqual([])
  })

  test.each(Object.keys(body))('%s: browser and server say the same sentence', async (field) => {
    const values = endpoint.access === 'member' ? BAD.slice(-8) : BAD
    for (const value of values) {
      const wrong = { ...body, [field]: value }
      const browser = browserSays(endpoint, wrong)
      const server = await serverSays(endpoint, wrong)
      if (Object.keys(browser).length === 0) {
        expect(
          Object.values(server).filter((sentence) => !SERVER_ALONE.has(sentence)),
          `${field}: ${JSON.stringify(value)}`,
        ).toEqual([])
      } else if (typeof value === 'string' || !/^Invalid input/.test(browser[field] ?? '')) {
        expect(server, `${field}: ${JSON.stringify(value)}`).toEqual(browser)
      } else {
        // A kind no form can send: the library's wording never reaches anyone.
        expect(Object.keys(server)).toEqual([field])
        expect(server[field]).not.toMatch(/^Invalid input/)
      }
    }
  })
})

test('every call with a body is in the table', () => {
  // The console's forms show what the server says, and have no rules of their own in the browser.
  const isPublic = ({ path }: { path: string }) => !path.startsWith('/api/console/')
  const withBody = endpoints
    .filter((endpoint) => endpoint.body !== undefined && isPublic(endpoint))
    .map(({ name }) => name)
  expect(new Set(good.map(([{ name }]) => name))).toEqual(new Set(withBody))
})

describe('the forms themselves', () => {
  const filled = {
    email: 'ana@example.com',
    username: 'ana-rao',
    firstName: 'Ana',
    lastName: 'Rao',
    password: 'monsoon-in-macon',
    confirmPassword: 'monsoon-in-macon',
    agree: 'on',
  }

  test.each(['email', 'username', 'firstName', 'lastName', 'password'] as const)('registration, %s', async (field) => {
    for (const value of BAD.filter((bad) => typeof bad === 'string')) {
      const values = { ...filled, [field]: value }
      const form = checkRegistration({ ...values, confirmPassword: values.password })
      if (Object.keys(form).length === 0) continue
      expect(await serverSays(register, { ...values, levelKey: 'annual_member' })).toMatchObject(
        field === 'password' && value === '' ? { password: form.password } : form,
      )
    }
  })

  test('an empty registration form: the same sentences in the same order', async () => {
    const empty = { email: '', username: '', firstName: '', lastName: '', password: '', confirmPassword: '', agree: '' }
    const { confirmPassword, agree, ...form } = checkRegistration(empty)
    const server = await serverSays(register, { ...empty, levelKey: 'annual_member' })
    expect(Object.entries(server)).toEqual(Object.entries(form))
    expect([confirmPassword, agree]).toEqual([
      'Please confirm your password',
      'You must agree to the terms and conditions',
    ])
  })

  test('the address of forgot-password', async () => {
    for (const email of BAD.filter((bad) => typeof bad === 'string')) {
      const form = checkAddress({ email })
      const server = await serverSays(forgotPassword, { email })
      if (Object.keys(form).length > 0) expect(server).toEqual(form)
      else expect(server).toEqual({})
    }
  })

  test('the new password of reset-password', async () => {
    for (const newPassword of BAD.filter((bad) => typeof bad === 'string')) {
      const form = checkNewPassword({ newPassword, confirmPassword: newPassword })
      const server = await serverSays(resetPassword, { token: 'x', userId: 'x', newPassword })
      if (Object.keys(form).length > 0) expect(server).toEqual(form)
      else expect(server).toEqual({})
    }
  })
})

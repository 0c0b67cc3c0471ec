import { describe, expect, test } from 'vitest'
import { changePassword, deleteAccount, updateProfile } from '#contract/public/account-changes.ts'
import { answerOwnRollCall, answerRollCall } from '#contract/public/my-account/still-here.ts'
import { objectToRoll } from '#contract/public/my-account/own-rolls.ts'
import { sendDirectoryMessage } from '#contract/public/my-account/directory.ts'
import { setDirectoryChoice } from '#contract/public/my-account/directory-choice.ts'
import { confirmRecord, updateRecord } from '#contract/public/my-account/member-record.ts'
import { setMemberNewsletter } from '#contract/public/my-account/member-emails.ts'
import { changeEmail, confirmEmail, stopEmailChange } from '#contract/public/account-email.ts'
import {
  forgotPassword,
  login,
  register,
  resendVerification,
  resetPassword,
  verifyEmail,
} from '#contract/public/auth.ts'
import { openPortal } from '#contract/public/billing.ts'
import { sendMessage } from '#contract/public/contact.ts'
import { submitAnswers, submitCredentials, submitTraining } from '#contract/public/credentials.ts'
import { beginSetup, enterSetup } from '#contract/setup/first-steps.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/all-endpoints.ts'
import { messages } from '#contract/messages.ts'
import { confirmSubscription, unsubscribeByLink, subscribe, unsubscribe } from '#contract/public/newsletter.ts'
import { setEmailTopic, unsubscribeFromTopic } from '#contract/public/my-account/email-topics.ts'
import { startCheckout } from '#contract/public/membership.ts'
import {
  cancelRsvp,
  changeRsvp,
  confirmRsvp,
  downloadCertificate,
  abandonRsvpPayment,
  payRsvp,
  readOwnRsvp,
  sendRsvp,
  verifyRsvpPayment,
} from '#contract/public/rsvp.ts'
import { startSponsorship } from '#contract/public/sponsors.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { checkAddress } from '#web/public/login/address.rules.ts'
import { checkNewPassword } from '#web/public/login/new-password.rules.ts'
import { validate } from '#web/forms/validate.rules.ts'
import { checkRegistration } from '#web/public/join/registration/registration.rules.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'off' } })

type Body = Record<string, unknown>

/** A valid body for each call. */
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
  [setEmailTopic, { topic: 'news', isWanted: true }],
  [unsubscribeFromTopic, { token: 'a-token' }],
  [answerRollCall, { token: 'a-token', answer: 'here' }],
  [answerOwnRollCall, { answer: 'moved' }],
  [objectToRoll, { text: 'I am missing from it.' }],
  [sendDirectoryMessage, { subject: 'Echo course', text: 'Shall we go together?' }],
  [setDirectoryChoice, { inMembers: true, inPublic: false, takesMessages: true }],
  [login, { identifier: 'ana', password: 'monsoon-in-macon' }],
  [verifyEmail, { token: 'x'.repeat(43) }],
  [verifyEmail, { email: 'ana@example.com', code: '123456' }],
  [resendVerification, { email: 'ana@example.com' }],
  [forgotPassword, { email: 'ana@example.com' }],
  [enterSetup, { code: 'x'.repeat(32) }],
  [
    beginSetup,
    {
      associationName: 'Society of Bridge Builders',
      shortName: 'SBB',
      city: 'Leeds',
      country: 'GB',
      currency: 'gbp',
      timeZone: 'Europe/London',
      profile: 'engineers',
      partsOff: ['clinic'],
      firstName: 'Ana',
      lastName: 'Rao',
      email: 'ana@example.com',
      username: 'ana-rao',
      password: 'monsoon-in-macon',
    },
  ],
  [resetPassword, { token: 'x'.repeat(43), userId: 'some-id', newPassword: 'monsoon-in-macon' }],
  [startCheckout, { levelKey: 'annual_member', email: 'ana@example.com', firstName: 'Ana', lastName: 'Rao' }],
  [updateProfile, { username: 'ana-rao', name: { first: 'Ana', last: 'Rao' } }],
  [updateRecord, { version: 'x', values: { city: 'Macon' }, audiences: { city: 'members' } }],
  [confirmRecord, { version: 'x' }],
  [changePassword, { currentPassword: 'monsoon-in-macon', newPassword: 'a-quieter-veranda' }],
  [changeEmail, { email: 'ana.rao@example.com', password: 'monsoon-in-macon' }],
  [setMemberNewsletter, { isWanted: true }],
  [confirmEmail, { token: 'x'.repeat(43) }],
  [stopEmailChange, { token: 'x'.repeat(43) }],
  [deleteAccount, { password: 'monsoon-in-macon' }],
  [openPortal, { levelKey: 'annual_member' }],
  [submitCredentials, { npi: '1234567893', licenceState: 'GA' }],
  [submitAnswers, { values: { number: 'PE-4711', state: 'OH' } }],
  [submitTraining, { stage: 'student', place: 'Emory', endsOn: '2030-05-31' }],
  [subscribe, { email: 'ana@example.com', source: 'homepage' }],
  [unsubscribe, { email: 'ana@example.com' }],
  [confirmSubscription, { token: 'x.y.z' }],
  [unsubscribeByLink, { token: 'x.y' }],
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
  [abandonRsvpPayment, { order: 'order', nonce: 'secret' }],
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

/** Messages that only the server can produce. */
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

/** The browser's message from the contract's schema; of two shapes, the one with the body's fields. */
function browserSays({ body: schema }: Endpoint, body: Body): Record<string, string | undefined> {
  const shapes = (schema as { def?: { options?: object[] } } | undefined)?.def?.options
  const fitting = shapes?.find((shape) =>
    Object.keys(body).some((field) => field in (shape as { shape: object }).shape),
  )
  return validate((fitting ?? schema) as Parameters<typeof validate>[0], body as never)
}

let member: TestBrowser | null = null

async function join(): Promise<TestBrowser> {
  const browser = app().browser()
  await browser.join({ levelKey: 'medical_student' })
  return browser
}

/** The server's messages by field; empty when it accepted the body or refused for another reason. */
async function serverSays({ method, path, access }: Endpoint, body: Body): Promise<Record<string, string>> {
  const browser = access === 'member' ? (member ?? (await join())) : app().browser()
  const response = await browser.call(method, path, body)
  // An accepted call may have ended the session or changed its account.
  member = access === 'member' && response.status >= 400 ? browser : null
  return (response.body?.errors ?? {}) as Record<string, string>
}

describe.each(
  good.map(([endpoint, body]) => [`${endpoint.path} with ${Object.keys(body).join(', ')}`, endpoint, body] as const),
)('%s', (_name, endpoint, body) => {
  test('neither browser nor server rejects a valid body', async () => {
    expect(browserSays(endpoint, body)).toEqual({})
    const said = await serverSays(endpoint, body)
    expect(Object.values(said).filter((sentence) => !SERVER_ALONE.has(sentence))).toEqual([])
  })

  test.each(Object.keys(body))('%s: browser and server show the same message', async (field) => {
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
        // A type that no form can send: the library's wording never reaches a user.
        expect(Object.keys(server)).toEqual([field])
        expect(server[field]).not.toMatch(/^Invalid input/)
      }
    }
  })
})

test('every call with a body is in the table', () => {
  // The console's forms show the server's messages and have no browser rules of their own.
  const isPublic = ({ path }: { path: string }) => !path.startsWith('/api/console/')
  const withBody = endpoints
    // No one types what `enterDemo` sends, and only a demo has it.
    .filter((endpoint) => endpoint.body !== undefined && isPublic(endpoint) && endpoint.name !== 'enterDemo')
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

  test('an empty registration form: the same messages in the same order', async () => {
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

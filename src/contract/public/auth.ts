import * as z from 'zod/mini'
import { subscription } from './account.ts'
import { endpoint } from '../endpoint.ts'
import {
  emailField,
  firstNameField,
  lastNameField,
  lineField,
  newPasswordField,
  passwordField,
  recaptchaTokenField,
  user,
  usernameField,
} from '../fields.ts'
import { recordInput } from '../member-record/record-schema.ts'
import { messages } from '../messages.ts'

const tokenField = lineField(messages.link.required, 512)

/** Fields in the order in which their messages are reported. */
export const registrationBody = z.object({
  email: emailField,
  username: usernameField,
  firstName: firstNameField,
  lastName: lastNameField,
  password: passwordField,
  levelKey: lineField(messages.levelKey.required, 64),
  /** Additive: the member record's fields that are asked while joining, by key. Others are ignored. */
  record: z.optional(recordInput),
  recaptchaToken: recaptchaTokenField,
})

export const register = endpoint({
  name: 'register',
  method: 'POST',
  path: '/api/auth/register',
  access: 'anyone',
  summary: 'Store a registration for 24 hours and email its verification link and code',
  body: registrationBody,
  reply: z.object({
    userId: z.string(),
    message: z.string(),
    recaptcha: z.object({ score: z.number(), action: z.string(), success: z.boolean() }),
  }),
  status: 201,
  failures: ['BOT_CHECK_FAILED', 'BOT_CHECK_UNAVAILABLE', 'USERNAME_TAKEN', 'PLAN_NOT_FOUND'],
})

/**
 * By the token of the link, or by address and 6-digit code. The password, if sent, proves who registered
 * (docs/product-rules.md#proof-before-a-session).
 */
export const verifyEmail = endpoint({
  name: 'verifyEmail',
  method: 'POST',
  path: '/api/auth/verify-email',
  access: 'anyone',
  summary: 'Verify an address; idempotent',
  body: z.union([
    z.object({
      token: tokenField,
      password: z.optional(z.string().check(z.maxLength(1_024, messages.password.incorrect))),
    }),
    z.object({
      email: emailField,
      code: z
        .string(messages.code.required)
        .check(z.trim(), z.minLength(1, messages.code.required), z.maxLength(16, messages.code.wrong)),
      password: z.optional(z.string().check(z.maxLength(1_024, messages.password.incorrect))),
    }),
  ]),
  reply: z.object({
    alreadyVerified: z.boolean(),
    user: z.optional(user),
    /** Absent if the visitor has to start over. */
    next: z.optional(z.enum(['checkout', 'login'])),
    nextLevelKey: z.optional(z.string()),
    /** Whether this browser may continue to checkout without the password (docs/product-rules.md#proof-before-a-session). */
    granted: z.boolean(),
  }),
  failures: ['LINK_EXPIRED', 'REGISTRATION_EXPIRED'],
})

/** With a bearer token the body is empty and the account is already verified; without one, the address and a bot-check token are required. */
export const resendVerification = endpoint({
  name: 'resendVerification',
  method: 'POST',
  path: '/api/auth/resend-verification',
  access: 'optional',
  summary: 'Email the verification link again',
  body: z.optional(z.object({ email: z.optional(emailField), recaptchaToken: recaptchaTokenField })),
  status: 204,
  failures: ['BOT_CHECK_FAILED'],
})

const loginBody = z.object({
  identifier: lineField(messages.login.required, 320),
  password: z
    .string(messages.login.required)
    .check(z.minLength(1, messages.login.required), z.maxLength(1_024, messages.login.required)),
  recaptchaToken: recaptchaTokenField,
})

export const login = endpoint({
  name: 'login',
  method: 'POST',
  path: '/api/auth/login',
  access: 'anyone',
  summary: 'Log in with an email address or a username',
  body: loginBody,
  reply: z.object({ token: z.string(), user, subscription: z.nullable(subscription) }),
  failures: ['BOT_CHECK_FAILED', 'INVALID_CREDENTIALS', 'ACCOUNT_INACTIVE'],
})

/** Additive (docs/product-rules.md#token-refresh): a valid token with less than 5 minutes left can be exchanged once. */
export const refresh = endpoint({
  name: 'refresh',
  method: 'POST',
  path: '/api/auth/refresh',
  access: 'member',
  summary: 'Exchange a token that is about to expire',
  reply: z.object({ token: z.string() }),
  failures: ['REFRESH_TOO_EARLY'],
})

const emailReply = z.object({
  success: z.boolean(),
  error: z.optional(z.string()),
  details: z.optional(z.string()),
  message: z.optional(z.string()),
})

/** Reveals nothing about accounts: the response is the same for every address. */
export const forgotPassword = endpoint({
  name: 'forgotPassword',
  method: 'POST',
  path: '/api/email/forgot-password',
  access: 'anyone',
  summary: 'Email a link to choose a new password',
  body: z.object({ email: emailField, recaptchaToken: recaptchaTokenField }),
  reply: emailReply,
  reportsSuccess: true,
  failures: ['BOT_CHECK_FAILED'],
})

export const resetPassword = endpoint({
  name: 'resetPassword',
  method: 'POST',
  path: '/api/email/reset-password',
  access: 'anyone',
  summary: 'Choose a new password with the emailed link',
  body: z.object({
    token: lineField(messages.reset.invalid, 512),
    userId: lineField(messages.reset.invalid, 64),
    newPassword: newPasswordField,
  }),
  reply: emailReply,
  reportsSuccess: true,
  failures: ['RESET_LINK_INVALID'],
})

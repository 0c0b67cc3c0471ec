import * as z from 'zod/mini'
import { subscription } from './account.ts'
import { endpoint } from './endpoint.ts'
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
} from './fields.ts'
import { messages } from './messages.ts'

const tokenField = lineField(messages.link.required, 512)

/** Fields in the order their sentences are reported. */
export const registrationBody = z.object({
  email: emailField,
  username: usernameField,
  firstName: firstNameField,
  lastName: lastNameField,
  password: passwordField,
  levelKey: lineField(messages.levelKey.required, 64),
  recaptchaToken: recaptchaTokenField,
})

export const register = endpoint({
  name: 'register',
  method: 'POST',
  path: '/api/auth/register',
  access: 'anyone',
  summary: 'Keep a registration for 24 hours and mail its verification link and code',
  body: registrationBody,
  reply: z.object({
    userId: z.string(),
    message: z.string(),
    recaptcha: z.object({ score: z.number(), action: z.string(), success: z.boolean() }),
  }),
  status: 201,
  failures: ['BOT_CHECK_FAILED', 'BOT_CHECK_UNAVAILABLE', 'USERNAME_TAKEN', 'PLAN_NOT_FOUND'],
})

/** By the link's token, or by address and 6-digit code; the password, when sent, proves who registered (docs/product-rules.md#proof-before-a-session). */
export const verifyEmail = endpoint({
  name: 'verifyEmail',
  method: 'POST',
  path: '/api/auth/verify-email',
  access: 'anyone',
  summary: 'Verify an address; may be repeated',
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
    /** Absent: start over. */
    next: z.optional(z.enum(['checkout', 'login'])),
    nextLevelKey: z.optional(z.string()),
    /** Whether this browser may go on to checkout without its password (docs/product-rules.md#proof-before-a-session). */
    granted: z.boolean(),
  }),
  failures: ['LINK_EXPIRED', 'REGISTRATION_EXPIRED'],
})

/** With a bearer the body is empty and nothing is left to verify; without, the address and a bot-check token. */
export const resendVerification = endpoint({
  name: 'resendVerification',
  method: 'POST',
  path: '/api/auth/resend-verification',
  access: 'optional',
  summary: 'Mail the verification link again',
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
  summary: 'Log in with an e-mail address or a username',
  body: loginBody,
  reply: z.object({ token: z.string(), user, subscription: z.nullable(subscription) }),
  failures: ['BOT_CHECK_FAILED', 'INVALID_CREDENTIALS', 'ACCOUNT_INACTIVE'],
})

/** Additive (docs/product-rules.md#token-refresh): a valid token with under 5 minutes left may be exchanged once. */
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

/** Says nothing about who has an account: every address gets the same answer. */
export const forgotPassword = endpoint({
  name: 'forgotPassword',
  method: 'POST',
  path: '/api/email/forgot-password',
  access: 'anyone',
  summary: 'Mail a link for choosing a new password',
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
  summary: 'Choose a new password with the link that was mailed',
  body: z.object({
    token: lineField(messages.reset.invalid, 512),
    userId: lineField(messages.reset.invalid, 64),
    newPassword: newPasswordField,
  }),
  reply: emailReply,
  reportsSuccess: true,
  failures: ['RESET_LINK_INVALID'],
})

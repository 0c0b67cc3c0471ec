import * as z from 'zod/mini'
import { profile } from './account.ts'
import { endpoint } from '../endpoint.ts'
import {
  changedPasswordField,
  firstNameField,
  lastNameField,
  passwordProofField,
  profileUsernameField,
} from '../fields.ts'
import { messages } from '../messages.ts'

const seenText = z.string().check(z.maxLength(320, messages.text.unreadable))

const editable = {
  username: profileUsernameField,
  name: z.object({ first: firstNameField, last: lastNameField }, messages.firstName.required),
}

/** The same fields as the form showed them. */
const seen = {
  username: seenText,
  name: z.object({ first: seenText, last: seenText }),
} satisfies Record<keyof typeof editable, unknown>

export const profileBody = z.object({
  ...editable,
  /**
   * Additive: the profile as the form showed it. If it has changed since, nothing is stored, so that two tabs cannot overwrite each other unnoticed.
   * If omitted, the last write wins.
   */
  seen: z.optional(z.object(seen)),
})

export const updateProfile = endpoint({
  name: 'updateProfile',
  method: 'PUT',
  path: '/api/account/profile',
  access: 'member',
  summary: "Change the caller's username and name",
  body: profileBody,
  reply: z.object({ profile }),
  failures: ['USERNAME_TAKEN', 'PROFILE_CHANGED'],
})

export const changePasswordBody = z
  .object({
    currentPassword: passwordProofField(messages.changePassword.current),
    newPassword: changedPasswordField,
  })
  .check(
    z.refine(({ currentPassword, newPassword }) => currentPassword !== newPassword, {
      path: ['newPassword'],
      error: messages.changePassword.same,
    }),
  )

/** Revokes all older tokens and returns a new one to the caller (docs/product-rules.md#server-checks-of-a-token). */
export const changePassword = endpoint({
  name: 'changePassword',
  method: 'PUT',
  path: '/api/account/password',
  access: 'member',
  summary: "Change the caller's password",
  body: changePasswordBody,
  reply: z.object({ token: z.string() }),
  failures: [],
})

/** The membership ends with its paid period (docs/product-rules.md#deleting-an-account). */
export const deleteAccount = endpoint({
  name: 'deleteAccount',
  method: 'DELETE',
  path: '/api/account',
  access: 'member',
  summary: "Deactivate the caller's account and end its membership with the billing period",
  body: z.object({ password: passwordProofField(messages.password) }),
  reply: z.object({ success: z.literal(true), message: z.string() }),
  failures: ['DELETION_UNDER_WAY', 'DELETION_FAILED', 'LAST_PRESIDENT'],
})

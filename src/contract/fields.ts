import * as z from 'zod/mini'
import { limits } from './limits.ts'
import { messages } from './messages.ts'

// The pattern of type=email (HTML standard), with at least one dot in the domain. Bounded, so that matching stays fast.
const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/
const USERNAME = /^[A-Za-z0-9][A-Za-z0-9._@-]*$/
// oxlint-disable-next-line no-control-regex -- keeps control characters out of emails, headers and PostgreSQL text
const NO_CONTROL = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/

// oxlint-disable-next-line no-control-regex -- as above, but for tabs and line feeds
const NO_CONTROL_BUT_LINES = /^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]*$/

/** Whether a text has no control characters and no line breaks. */
export function isOneLine(text: string): boolean {
  return NO_CONTROL.test(text)
}

/** A single line without control characters, at most `max` long; `sentence` is the message if it is missing. */
export function lineField(sentence: string, max: number) {
  return z
    .string(sentence)
    .check(
      z.trim(),
      z.minLength(1, sentence),
      z.maxLength(max, messages.text.unreadable),
      z.regex(NO_CONTROL, messages.text.unreadable),
    )
}

/** Multiple lines without other control characters; line breaks become line feeds. `min` counts after trimming. */
export function textField(
  sentences: { required: string; short: string; long: string },
  { min, max }: { min: number; max: number },
) {
  return z.pipe(
    z.pipe(
      z.string(sentences.required),
      z.transform((text: string) => text.replaceAll(/\r\n?/g, '\n')),
    ),
    z
      .string()
      .check(
        z.trim(),
        z.minLength(1, sentences.required),
        z.minLength(min, sentences.short),
        z.maxLength(max, sentences.long),
        z.regex(NO_CONTROL_BUT_LINES, messages.text.unreadable),
      ),
  )
}

const emptyToNull = (text: string | null | undefined) => text || null

/** A line that may be omitted, empty or null; parsed to null. */
export function optionalLineField(max: number) {
  const line = z
    .string(messages.text.unreadable)
    .check(z.trim(), z.maxLength(max, messages.text.unreadable), z.regex(NO_CONTROL, messages.text.unreadable))
  return z.pipe(z.nullish(line), z.transform(emptyToNull))
}

/** A line of a draft: it may be empty. */
export function blankLineField(max: number) {
  return z
    .string(messages.text.unreadable)
    .check(z.trim(), z.maxLength(max, messages.text.unreadable), z.regex(NO_CONTROL, messages.text.unreadable))
}

/** Same as `optionalLineField`, for multiple lines. */
export function optionalTextField(tooLong: string, max: number) {
  const text = z.string(messages.text.unreadable).check(
    z.overwrite((given) => given.replaceAll(/\r\n?/g, '\n')),
    z.trim(),
    z.maxLength(max, tooLong),
    z.regex(NO_CONTROL_BUT_LINES, messages.text.unreadable),
  )
  return z.pipe(z.nullish(text), z.transform(emptyToNull))
}

/** An email address; `required` is the message if it is missing. */
export function addressField(required: string) {
  return z
    .string(required)
    .check(
      z.trim(),
      z.minLength(1, required),
      z.maxLength(limits.email.max, messages.email.invalid),
      z.regex(EMAIL, messages.email.invalid),
    )
}

export const emailField = addressField(messages.email.required)

// Characters that browsers drop (tabs, line feeds), treat as a slash (backslash) or that end an attribute are not allowed in a URL.
// oxlint-disable-next-line no-control-regex -- rejects control characters
const NO_TRICKS = /^[^\s\\<>"`\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]*$/
const LONGEST_ADDRESS = 2_000

/** An absolute URL: http or https, with a host and without credentials. */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^/]/i.test(text) || !NO_TRICKS.test(text) || text.length > LONGEST_ADDRESS) return false
  try {
    const { hostname, username, password } = new URL(text)
    return hostname !== '' && username + password === ''
  } catch {
    return false
  }
}

/** A path of this site, beginning with exactly one slash: `//example.org` is another site. */
export function isOwnPath(text: string): boolean {
  return /^\/(?!\/)/.test(text) && NO_TRICKS.test(text) && text.length <= LONGEST_ADDRESS
}

export function isLink(text: string): boolean {
  return isOwnPath(text) || isWebAddress(text)
}

/** The name of a built-in drawing, such as `event-lecture`, or the URL of an image: a path of this site, or https. */
export function isPicture(text: string): boolean {
  return /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/i.test(text) || isPictureAddress(text)
}

function isPictureAddress(text: string): boolean {
  return isOwnPath(text) || (isWebAddress(text) && /^https:/i.test(text))
}

function addressOf(isRight: (text: string) => boolean, sentence: string) {
  return z.string(sentence).check(z.trim(), z.refine(isRight, sentence))
}

/** Every link in a form or content file uses one of these fields, so that no `javascript:` URL becomes a link. */
export const webAddressField = addressOf(isWebAddress, messages.address.web)
export const ownPathField = addressOf(isOwnPath, messages.address.own)
export const linkField = addressOf(isLink, messages.address.link)
export const pictureField = addressOf(isPicture, messages.address.picture)
/** For emails and feeds, where the name of a drawing is not enough. */
export const pictureAddressField = addressOf(isPictureAddress, messages.address.pictureAddress)

function usernameRule({ short, long }: { short: string; long: string }) {
  return z
    .string(messages.username.required)
    .check(
      z.trim(),
      z.minLength(1, messages.username.required),
      z.minLength(limits.username.min, short),
      z.maxLength(limits.username.max, long),
      z.regex(USERNAME, messages.username.characters),
    )
}

/** A username with the rule and messages of registration. */
export const usernameField = usernameRule(messages.username)

/** The same rule with the profile's messages. */
export const profileUsernameField = usernameRule(messages.profileUsername)

function personNameField(sentences: { required: string; long: string }) {
  return z
    .string(sentences.required)
    .check(
      z.trim(),
      z.minLength(1, sentences.required),
      z.maxLength(limits.personName.max, sentences.long),
      z.regex(NO_CONTROL, messages.name.characters),
    )
}

export const firstNameField = personNameField(messages.firstName)
export const lastNameField = personNameField(messages.lastName)

/** A password chosen at registration. The server also rejects common and personal ones (docs/product-rules.md#passwords). */
export const passwordField = z
  .string(messages.password.required)
  .check(
    z.minLength(1, messages.password.required),
    z.minLength(limits.password.min, messages.password.short),
    z.maxLength(limits.password.max, messages.password.long),
  )

function newPasswordRule(short: string) {
  return z
    .string(messages.newPassword.required)
    .check(
      z.minLength(1, messages.newPassword.required),
      z.minLength(limits.password.min, short),
      z.maxLength(limits.password.max, messages.password.long),
    )
}

/** A password chosen on the reset page, with that page's messages. */
export const newPasswordField = newPasswordRule(messages.newPassword.short)

/** The same for the account page, with the messages of that form. */
export const changedPasswordField = newPasswordRule(messages.changePassword.short)

/** The current password, as proof of identity; its form is not validated. `incorrect` is also the message for values that cannot be a password. */
export function passwordProofField({ required, incorrect }: { required: string; incorrect: string }) {
  return z.string(required).check(z.minLength(1, required), z.maxLength(1_024, incorrect))
}

/** If omitted or blank, the server responds with BOT_CHECK_FAILED, so that every form shows the same message. */
export const recaptchaTokenField = z.optional(
  z.string().check(z.maxLength(4_096, messages.text.unreadable), z.regex(NO_CONTROL, messages.text.unreadable)),
)

export function isEmailShaped(value: string): boolean {
  return EMAIL.test(value)
}

/** A person as returned by every endpoint. */
export const user = z.object({
  _id: z.string(),
  username: z.string(),
  email: z.string(),
  name: z.object({ first: z.string(), last: z.string() }),
})

export type User = z.infer<typeof user>

import { officerLimits } from '#contract/access.ts'
import { messages } from '#contract/messages.ts'
import { commonPasswords } from './common-passwords.rules.ts'

interface Person {
  email: string
  username: string
  firstName: string
  lastName: string
}

/**
 * Returns why a password is rejected apart from its length: too common, or the person's own name, username or address
 * (docs/product-rules.md#passwords). null if it is accepted.
 */
export function passwordProblem(password: string, person: Person): string | null {
  const plain = normalizePassword(password).toLowerCase().trim()
  if (commonPasswords.has(plain)) return messages.password.common
  const { email, username, firstName, lastName } = person
  const own = [
    email,
    email.split('@')[0] ?? '',
    username,
    firstName,
    lastName,
    `${firstName}${lastName}`,
    `${firstName} ${lastName}`,
    `${lastName}${firstName}`,
  ].map((word) => word.toLowerCase())
  return own.includes(plain) ? messages.password.personal : null
}

/** Returns an error if the password is shorter than officers' passwords must be; null if it is long enough. */
export function officerPasswordProblem(password: string): string | null {
  return password.length < officerLimits.passwordMin ? messages.officer.passwordShort : null
}

/**
 * Normalizes a password before hashing, so that different keyboards produce the same password (NIST 800-63B, 5.1.1.2).
 */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC')
}

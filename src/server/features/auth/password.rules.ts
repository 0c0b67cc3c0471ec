import { officerLimits } from '#contract/access.ts'
import { messages } from '#contract/messages.ts'
import { commonPasswords } from './common-passwords.ts'

interface Person {
  email: string
  username: string
  firstName: string
  lastName: string
}

/**
 * Why a password is refused beyond its length: too common, or the person's own name, username or address (docs/product-rules.md#passwords). null when it is fine.
 */
export function passwordFault(password: string, person: Person): string | null {
  const plain = normalisePassword(password).toLowerCase().trim()
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

/** Officers' passwords are longer than those of members. null when it is long enough. */
export function officerPasswordFault(password: string): string | null {
  return password.length < officerLimits.passwordMin ? messages.officer.passwordShort : null
}

/** The form that is hashed: the same letters typed on different keyboards are the same password (NIST 800-63B, 5.1.1.2). */
export function normalisePassword(password: string): string {
  return password.normalize('NFKC')
}

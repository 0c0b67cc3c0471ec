import type { Server } from '#server/http/serve.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import type { EffectHandler } from '#server/platform/outbox-worker.ts'
import type { ContentCache } from '../association/content-cache.ts'
import { findLevel } from '../membership/level.repository.ts'
import { createAuthLetters } from './auth.letters.ts'
import { authRoutes } from './auth.routes.ts'
import { createLoginService } from './login.service.ts'
import { createRegistrationService } from './registration.service.ts'
import { createResetService } from './reset.service.ts'
import type { SessionService } from './session.service.ts'
import { createVerificationService } from './verification.service.ts'

type Needed = Parameters<typeof createRegistrationService>[0] &
  Parameters<typeof createVerificationService>[0] &
  Parameters<typeof createLoginService>[0] &
  Parameters<typeof createResetService>[0] &
  Parameters<typeof createAuthLetters>[0]
type FromContent =
  | 'limits'
  | 'isLevelOnSale'
  | 'termsVersion'
  | 'codeLimit'
  | 'passwordLimit'
  | 'wrongPasswordLimit'
  | 'letterLimit'
  | 'levelName'

/** Registering, proving the address, logging in, and a new password; put together. */
export function createAuthFeatures(
  shared: Omit<Needed, FromContent> & { cache: Pick<ContentCache, 'content'>; sessions: SessionService },
): {
  routes(server: Server): void
  letters: Record<string, (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>>
  effects: Record<string, EffectHandler>
} {
  const { cache, db, sessions } = shared
  const limits = () => cache.content().settings.rateLimits
  const registrations = createRegistrationService({
    ...shared,
    limits: { registerEmail: () => limits().registerPerEmail, letters: () => limits().lettersPerEmail },
    isLevelOnSale: async (key) => (await findLevel(db, key))?.isOnSale ?? false,
    termsVersion: async () => cache.content().pages.get('terms-conditions')?.version ?? '',
  })
  const verification = createVerificationService({
    ...shared,
    codeLimit: () => limits().verificationCodePerEmail,
    passwordLimit: () => limits().loginWrongPassword,
  })
  const logins = createLoginService({ ...shared, wrongPasswordLimit: () => limits().loginWrongPassword })
  const resets = createResetService({ ...shared, letterLimit: () => limits().lettersPerEmail })
  const { letters, effects } = createAuthLetters({
    ...shared,
    letterLimit: () => limits().lettersPerEmail,
    levelName: async (key) => (await findLevel(db, key))?.name ?? key,
  })
  return {
    routes: (server) => authRoutes(server, { registrations, verification, logins, sessions, resets }),
    letters,
    effects,
  }
}

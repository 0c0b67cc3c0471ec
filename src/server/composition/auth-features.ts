import type { Server } from '#server/http/serve.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'
import type { ContentCache } from '#server/features/content/content-cache.service.ts'
import { findLevel } from '#server/features/levels/level.queries.ts'
import type * as authEffects from '#server/features/auth/auth.effects.ts'
import { createRequestedEmails } from '#server/features/auth/requested-emails.service.ts'
import { authRoutes } from '#server/features/auth/auth.routes.ts'
import { createLoginService } from '#server/features/auth/sessions/login.service.ts'
import { createRegistrationService } from '#server/features/auth/registration/registration.service.ts'
import { createResetService } from '#server/features/auth/reset.service.ts'
import type { SessionService } from '#server/features/auth/sessions/session.service.ts'
import { createVerificationService } from '#server/features/auth/registration/verification.service.ts'

type Dependencies = Parameters<typeof createRegistrationService>[0] &
  Parameters<typeof createVerificationService>[0] &
  Parameters<typeof createLoginService>[0] &
  Parameters<typeof createResetService>[0] &
  Parameters<typeof createRequestedEmails>[0]
type FromSettings =
  | 'limits'
  | 'isLevelOnSale'
  | 'termsVersion'
  | 'codeLimit'
  | 'passwordLimit'
  | 'wrongPasswordLimit'
  | 'emailLimit'

/** Assembles registration, email verification, log-in and password reset. */
export function createAuthFeatures(
  shared: Omit<Dependencies, FromSettings> & { cache: Pick<ContentCache, 'content'>; sessions: SessionService },
): {
  routes(server: Server): void
  effects: HandlersOf<(typeof authEffects)[keyof typeof authEffects]>
} {
  const { cache, db, sessions } = shared
  const limits = () => cache.content().settings.rateLimits
  const registrations = createRegistrationService({
    ...shared,
    limits: { registerEmail: () => limits().registerPerEmail, emails: () => limits().lettersPerEmail },
    isLevelOnSale: async (key) => (await findLevel(db, key))?.isOnSale ?? false,
    termsVersion: async () => cache.content().pages.get('terms-conditions')?.version ?? '',
  })
  const verification = createVerificationService({
    ...shared,
    codeLimit: () => limits().verificationCodePerEmail,
    passwordLimit: () => limits().loginWrongPassword,
  })
  const logins = createLoginService({ ...shared, wrongPasswordLimit: () => limits().loginWrongPassword })
  const resets = createResetService({ ...shared, emailLimit: () => limits().lettersPerEmail })
  return {
    routes: (server) => authRoutes(server, { registrations, verification, logins, sessions, resets }),
    effects: createRequestedEmails({ ...shared, emailLimit: () => limits().lettersPerEmail }),
  }
}

import type { Server } from '#server/http/serve.ts'
import type { OutgoingEmail } from '#server/emails/email.ts'
import type { EffectHandler } from '#server/jobs/outbox-worker.ts'
import type { ContentCache } from '#server/features/content/content-cache.service.ts'
import { findLevel } from '#server/features/levels/level.queries.ts'
import { createAuthEmails } from '#server/features/auth/auth.effects.ts'
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
  Parameters<typeof createAuthEmails>[0]
type FromSettings =
  | 'limits'
  | 'isLevelOnSale'
  | 'termsVersion'
  | 'codeLimit'
  | 'passwordLimit'
  | 'wrongPasswordLimit'
  | 'emailLimit'
  | 'levelName'

/** Assembles registration, email verification, log-in and password reset. */
export function createAuthFeatures(
  shared: Omit<Dependencies, FromSettings> & { cache: Pick<ContentCache, 'content'>; sessions: SessionService },
): {
  routes(server: Server): void
  emails: Record<string, (payload: Record<string, unknown>) => Promise<OutgoingEmail | null>>
  effects: Record<string, EffectHandler>
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
  const { emails, effects } = createAuthEmails({
    ...shared,
    emailLimit: () => limits().lettersPerEmail,
    levelName: async (key) => (await findLevel(db, key))?.name ?? key,
  })
  return {
    routes: (server) => authRoutes(server, { registrations, verification, logins, sessions, resets }),
    emails,
    effects,
  }
}

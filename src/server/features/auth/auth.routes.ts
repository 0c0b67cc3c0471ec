import {
  forgotPassword,
  login,
  refresh,
  register,
  resendVerification,
  resetPassword,
  verifyEmail,
} from '#contract/public/auth.ts'
import type { Server } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import type { LoginService } from './sessions/login.service.ts'
import type { RegistrationService } from './registration/registration.service.ts'
import type { ResetService } from './reset.service.ts'
import type { SessionService } from './sessions/session.service.ts'
import type { VerificationService } from './registration/verification.service.ts'

const REGISTRATION_COOKIE_SECONDS = 86_400
const GRANT_COOKIE_SECONDS = 1_800
const KNOWN_BROWSER_SECONDS = 31_536_000

export function authRoutes(
  server: Server,
  services: {
    registrations: RegistrationService
    verification: VerificationService
    logins: LoginService
    sessions: SessionService
    resets: ResetService
  },
): void {
  const { registrations, verification, logins, sessions, resets } = services

  server.serve(register, async ({ body, setCookie }) => {
    const { registrationId, score } = await registrations.register(body)
    setCookie('registration', registrationId, REGISTRATION_COOKIE_SECONDS)
    return {
      userId: registrationId,
      message: 'Please check your email to verify your address.',
      recaptcha: { score, action: 'registration', success: true },
    }
  })

  server.serve(verifyEmail, async ({ body, readCookie, setCookie }) => {
    const { reply, granted } = await verification.verify(body, readCookie('registration'))
    if (granted) setCookie('grant', granted, GRANT_COOKIE_SECONDS)
    return reply
  })

  server.serve(resendVerification, async ({ body, caller }) => {
    // An authenticated caller has a verified address: nothing to resend.
    if (!caller) await registrations.resend(body?.email, body?.recaptchaToken)
  })

  server.serve(login, async ({ body, userAgent, readCookie, setCookie }) => {
    const knownBrowser = readCookie('known_browser')
    const result = await logins.logIn({ ...body, recaptchaToken: body.recaptchaToken, userAgent, knownBrowser })
    setCookie('known_browser', result.knownBrowser, KNOWN_BROWSER_SECONDS)
    return result
  })

  server.serve(refresh, async ({ caller, userAgent }) => {
    if (!caller) throw new Problem('AUTHENTICATION_REQUIRED')
    return { token: await sessions.refresh(caller, userAgent) }
  })

  server.serve(forgotPassword, async ({ body }) => {
    await resets.requestLink(body.email, body.recaptchaToken)
    return { success: true, message: 'If this address has an account, a reset link is on its way.' }
  })

  server.serve(resetPassword, async ({ body, readCookie, setCookie }) => {
    const { knownBrowser } = await resets.reset({ ...body, knownBrowser: readCookie('known_browser') })
    setCookie('known_browser', knownBrowser, KNOWN_BROWSER_SECONDS)
    return { success: true, message: 'Your password was changed.' }
  })
}

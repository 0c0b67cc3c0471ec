import { login } from '#contract/public/auth.ts'
import { call } from '#web/api/call.ts'
import { logIn } from '#web/session/session.ts'

interface Credentials {
  identifier: string
  password: string
  recaptchaToken: string
}

/** Loaded on demand because it imports the contract. @throws {CallFailure} */
export async function logInWith(credentials: Credentials): Promise<void> {
  const { token, user } = await call(login, { body: credentials })
  logIn({ token, user })
}

import { login } from '#contract/auth.ts'
import { call } from '#web/api/call.ts'
import { logIn } from './session.ts'

interface Credentials {
  identifier: string
  password: string
  recaptchaToken: string
}

/** Fetched when the form is used: it brings the contract along. @throws {CallFailure} */
export async function logInWith(credentials: Credentials): Promise<void> {
  const { token, user } = await call(login, { body: credentials })
  logIn({ token, user })
}

import { ask, postJson } from '#tests/trust/http.ts'
import { emailOf, PASSWORD } from './members.ts'
import type { BenchSite } from './site.ts'

/** Two minutes is how long a token of the bot check lives. */
export async function fetchBotToken({ standinsUrl }: BenchSite): Promise<string> {
  const answer = await ask(standinsUrl, { path: '/recaptcha/token?action=login&score=0.9' })
  return (answer.body as { token: string }).token
}

/** Resolves with how long the call took, in ms. @throws when the site refuses */
export async function logInAs(site: BenchSite, member: number, token?: string): Promise<number> {
  const answer = await postJson(site.url, '/api/auth/login', {
    identifier: emailOf(member),
    password: PASSWORD,
    recaptchaToken: token ?? (await fetchBotToken(site)),
  })
  if (answer.status !== 200) throw new Error(`A log-in was refused with ${answer.status}: ${answer.text}`)
  return answer.ms
}

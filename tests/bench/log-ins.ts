import { request, postJson } from '#tests/trust/http.ts'
import { emailFor, PASSWORD } from './members.ts'
import type { BenchSite } from './site.ts'

/** A bot check token lives for two minutes. */
export async function fetchBotToken({ standinsUrl }: BenchSite): Promise<string> {
  const response = await request(standinsUrl, { path: '/recaptcha/token?action=login&score=0.9' })
  return (response.body as { token: string }).token
}

/** Resolves with the duration of the call, in ms. @throws when the site refuses */
export async function logInAs(site: BenchSite, member: number, token?: string): Promise<number> {
  const response = await postJson(site.url, '/api/auth/login', {
    identifier: emailFor(member),
    password: PASSWORD,
    recaptchaToken: token ?? (await fetchBotToken(site)),
  })
  if (response.status !== 200) throw new Error(`A log-in was refused with ${response.status}: ${response.text}`)
  return response.ms
}

/** The members of the bench also have memberships that ended. */
export async function logInActiveMember(site: BenchSite): Promise<{ authorization: string }> {
  for (let member = 0; member < 50; member++) {
    const body = { identifier: emailFor(member), password: PASSWORD, recaptchaToken: await fetchBotToken(site) }
    const { token } = (await postJson(site.url, '/api/auth/login', body)).body as { token: string }
    const headers = { authorization: `Bearer ${token}` }
    if ((await request(site.url, { path: '/api/directory', headers })).status === 200) return headers
  }
  throw new Error('No member of the bench has an active membership.')
}

import { Secret, TOTP } from 'otpauth'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { addTerm } from '#server/features/officers/officer.commands.ts'
import { newId } from '#server/lib/ids.ts'
import { postJson } from '#tests/trust/http.ts'
import { fetchBotToken } from './log-ins.ts'
import { emailFor, PASSWORD } from './members.ts'
import type { BenchSite } from './site.ts'

const ROLES = ['president', 'secretary', 'treasurer', 'membership', 'editor'] as const
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** Gives a member every role and logs them in with a second factor. @returns the headers for their calls */
export async function becomeOfficer(site: BenchSite, member: number): Promise<{ authorization: string }> {
  const { db, close } = openDatabase(site.databaseUrl, quiet)
  const { id: accountId } = await db
    .selectFrom('account')
    .select('id')
    .where('emailKey', '=', emailFor(member))
    .executeTakeFirstOrThrow()
  const now = Date.now()
  const startsOn = dayOf(now, 'America/New_York')
  for (const role of ROLES) {
    const term = { id: newId(now), accountId, role, startsOn, endsOn: addDays(startsOn, 30) }
    await addTerm(db, { ...term, givenBy: 'webmaster' }, now)
  }
  await close()
  const recaptchaToken = await fetchBotToken(site)
  const { token } = await post('/api/auth/login', { identifier: emailFor(member), password: PASSWORD, recaptchaToken })
  const headers = { authorization: `Bearer ${token}` }
  const { secret } = await post('/api/console/second-factor/begin', { password: PASSWORD }, headers)
  const totp = new TOTP({ secret: Secret.fromBase32(String(secret).replaceAll(' ', '')) })
  await post('/api/console/second-factor/confirm', { code: totp.generate() }, headers)
  return headers

  async function post(path: string, body: object, carried: Record<string, string> = {}) {
    const response = await postJson(site.url, path, body, { headers: carried })
    if (response.status >= 300) throw new Error(`${path} answered ${response.status}: ${response.text}`)
    return response.body as Record<string, unknown>
  }
}

import type { Role } from '#contract/access.ts'
import type { Approval } from '#contract/console/approvals.ts'
import type { ConsoleMember } from '#contract/console/member.ts'
import { newOfficer, recordSecondFactor } from './officers.ts'
import type { TestApp } from './test-app.ts'
import type { TestBrowser } from './browser/test-browser.ts'
import { secretIn } from './emails/secret-in.ts'

export interface TestOfficer {
  browser: TestBrowser
  accountId: string
  email: string
}

/** A new officer for one test, whose session has a fresh second factor. */
export async function officerWithSecondFactor(app: TestApp, ...roles: Role[]): Promise<TestOfficer> {
  const officer = await newOfficer(app, roles)
  await recordSecondFactor(app, officer.browser)
  return officer
}

/** The token of the link to this path in the newest email to an address. */
export async function tokenInEmail(app: TestApp, email: string, path: string): Promise<string> {
  return secretIn(await app.browser().linkInMail(email, path))
}

export const subjectsTo = (app: TestApp, email: string) => app.standins.mails(email).map(({ subject }) => subject)

export async function memberPage({ browser }: Pick<TestOfficer, 'browser'>, id: string): Promise<ConsoleMember> {
  return (await browser.get(`/api/console/members/${id}`)).body as ConsoleMember
}

export async function approvalsFor({ browser }: Pick<TestOfficer, 'browser'>): Promise<Approval[]> {
  return (await browser.get('/api/console/approvals')).body.approvals as Approval[]
}

/** What an officer's browser shows and approves: the open request about a person. */
export async function pendingRequestAbout(officer: Pick<TestOfficer, 'browser'>, subjectId: string): Promise<Approval> {
  const found = (await approvalsFor(officer)).find(
    ({ subject, state }) => subject.id === subjectId && state === 'waiting',
  )
  if (!found) throw new Error('Nothing about this account waits for a second officer.')
  return found
}

export async function accountIdOf(app: TestApp, email: string): Promise<string> {
  const { id } = await app.database.db
    .selectFrom('account')
    .select('id')
    .where('emailKey', '=', email.toLowerCase())
    .where('deactivatedBy', 'is', null)
    .executeTakeFirstOrThrow()
  return id
}

/** Ends a person's terms as the officers' page does. */
export async function endTermsAsOfficer(app: TestApp, accountId: string): Promise<void> {
  await app.database.db
    .updateTable('officerTerm')
    .set({ endedAt: app.now() })
    .where('accountId', '=', accountId)
    .execute()
}

/** The preview of ending an account; with a death as its cause, as if that were recorded. */
export async function planEnd(
  app: TestApp,
  { browser }: Pick<TestOfficer, 'browser'>,
  { id, ending }: { id: string; ending: 'request' | 'deceased' },
) {
  if (ending === 'deceased')
    await app.database.db.updateTable('account').set({ deactivatedBy: 'deceased' }).where('id', '=', id).execute()
  return browser.get(`/api/console/members/${id}/end?ending=${ending}`)
}

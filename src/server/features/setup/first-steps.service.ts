import { randomBytes } from 'node:crypto'
import { isTimeZone } from '#contract/dates/dates.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import { PARTS } from '#contract/parts.ts'
import { messages } from '#contract/messages.ts'
import { STARTER_PROFILES, type beginSetup, type readSetup, type StarterProfile } from '#contract/setup/first-steps.ts'
import type { AppContext } from '#server/app-context.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { createAccount } from '#server/features/accounts/account.commands.ts'
import { toUser } from '#server/features/accounts/account.queries.ts'
import { hashPassword } from '#server/features/auth/password-hash.service.ts'
import { officerPasswordProblem, passwordProblem } from '#server/features/auth/password.rules.ts'
import type { SessionService } from '#server/features/auth/sessions/session.service.ts'
import {
  incrementContentVersion,
  lockContent,
  replaceRecords,
} from '#server/features/content-store/content.commands.ts'
import { SINGLE_RECORD_ID, type ContentKind } from '#server/features/content-store/content-kind.rules.ts'
import { readProfile, readRecords } from '#server/features/content-store/content.queries.ts'
import { settingKind } from '#server/features/content-store/kinds/settings.kinds.ts'
import { CURRENCIES } from '#server/features/content-store/settings.schema.ts'
import { setCurrency } from '#server/features/levels/level.commands.ts'
import { addTerm } from '#server/features/officers/officer.commands.ts'
import { firstTerm } from '#server/features/officers/officer.rules.ts'
import { replaceStarterContent } from '#server/features/seed/seed.service.ts'
import { newId } from '#server/lib/ids.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { hashToken } from '#server/lib/secrets.ts'
import type { Opening } from './opening.service.ts'
import { lockSetup, useCode } from './setup.commands.ts'
import { findSetup, hasOfficer } from './setup.queries.ts'

const BROWSER_SECRET_BYTES = 24

/** What a browser with the set-up code may do: name the association, choose its starter texts, and become its first officer. */
export function createFirstSteps(
  { db, clock, config, cache, timeZone }: AppContext,
  {
    opening,
    sessions,
    startedAt,
    restart,
  }: { opening: Opening; sessions: SessionService; startedAt: number; restart: () => void },
) {
  /** @throws Problem SETUP_CODE_WRONG unless this browser used the code of a site that is still closed */
  async function requireBrowser(tx: Db, secret: string | null): Promise<void> {
    const setup = await findSetup(tx)
    const isAllowed = setup?.openedAt === null && secret !== null && setup.browserHash === hashToken(secret)
    if (!isAllowed) throw new Problem('SETUP_CODE_WRONG')
  }

  return {
    /** Uses the code up. Returns what the browser proves itself with from now on. @throws Problem SETUP_CODE_WRONG */
    async enter(code: string): Promise<string> {
      const secret = randomBytes(BROWSER_SECRET_BYTES).toString('base64url')
      const isUsed = await useCode(db, { hash: hashToken(code), browserHash: hashToken(secret), now: clock.now() })
      await opening.refresh()
      if (!isUsed) throw new Problem('SETUP_CODE_WRONG')
      return secret
    },

    /** @throws Problem SETUP_CODE_WRONG */
    async read(secret: string | null): Promise<ReplyOf<typeof readSetup>> {
      await requireBrowser(db, secret)
      const profile = await readProfile(db)
      return {
        hasOfficer: await hasOfficer(db),
        profile: STARTER_PROFILES.find((known) => known === profile) ?? 'neutral',
        timeZones: ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')],
        currencies: [...CURRENCIES],
        startedAt,
      }
    },

    /** @throws Problem SETUP_CODE_WRONG, SETUP_HAS_OFFICER, INVALID_INPUT */
    async begin(
      secret: string | null,
      body: BodyOf<typeof beginSetup>,
      userAgent: string,
    ): Promise<ReplyOf<typeof beginSetup>> {
      await requireBrowser(db, secret)
      const { email, username, firstName, lastName, password } = body
      const person = { email, username, firstName, lastName }
      if (!CURRENCIES.some((known) => known === body.currency)) throw fieldProblem('currency', messages.setup.currency)
      if (!isTimeZone(body.timeZone)) throw fieldProblem('timeZone', messages.setup.timeZone)
      const problem = passwordProblem(password, person) ?? officerPasswordProblem(password)
      if (problem) throw fieldProblem('password', problem)

      const passwordHash = await hashPassword(password)
      const now = clock.now()
      const id = newId(now)
      const { account, token } = await db.transaction().execute(async (tx) => {
        await lockSetup(tx)
        await requireBrowser(tx, secret)
        if (await hasOfficer(tx)) throw new Problem('SETUP_HAS_OFFICER')
        await describeAssociation(tx, body, now)
        const created = await createAccount(tx, { ...person, id, passwordHash, isOfficer: true, createdAt: now }, now)
        if (!created) throw new Problem('SETUP_HAS_OFFICER')
        // Until the restart, today is the day of the earlier time zone, which may be before that of the chosen one.
        const [first, other] = [firstTerm(now, timeZone), firstTerm(now, body.timeZone)]
        const days = first.startsOn < other.startsOn ? first : other
        const term = { id: newId(now), accountId: id, role: 'president', ...days } as const
        await addTerm(tx, { ...term, givenBy: id }, now)
        await writeAudit(tx, { actor: id, action: 'officer.created', subjectId: id }, now)
        return { account: created, token: await sessions.start(tx, created, userAgent) }
      })
      await cache.refresh()
      // The days of the site are those of the time zone it started with.
      const restarts = body.timeZone !== timeZone
      if (restarts) restart()
      return { token, user: toUser(account), restarts }
    },
  }

  async function describeAssociation(tx: Tx, body: BodyOf<typeof beginSetup>, now: number): Promise<void> {
    await lockContent(tx)
    await chooseProfile(tx, body.profile, now)
    const records = await readRecords(tx, [settingKind('association'), settingKind('region'), settingKind('parts')])
    const { associationName: name, shortName, city, country, timeZone: zone } = body
    const currency = CURRENCIES.find((known) => known === body.currency) ?? CURRENCIES[0]
    const association = settingKind('association')
    for (const { value } of records.list(association))
      await save(tx, association, { ...value, name, shortName, address: { ...value.address, city } }, now)
    await save(tx, settingKind('region'), { country, currency, timeZone: zone }, now)
    const parts = Object.fromEntries(PARTS.map((part) => [part, !body.partsOff.includes(part)]))
    await save(tx, settingKind('parts'), parts, now)
    await setCurrency(tx, currency)
    await incrementContentVersion(tx)
  }

  async function chooseProfile(tx: Tx, profile: StarterProfile, now: number): Promise<void> {
    if ((await readProfile(tx)) !== profile)
      await replaceStarterContent(tx, { profile, officersEmail: config.officersEmail, now })
  }

  async function save(tx: Db, kind: ContentKind, value: unknown, now: number): Promise<void> {
    await replaceRecords(tx, kind, [{ id: SINGLE_RECORD_ID, value }], { now })
  }
}

export type FirstSteps = ReturnType<typeof createFirstSteps>

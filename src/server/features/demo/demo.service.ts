import { join } from 'node:path'
import * as z from 'zod/mini'
import { dayOf } from '#contract/dates/dates.ts'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import type { Subscription } from '#contract/public/account.ts'
import type { enterDemo, listDemoEmails, readDemo } from '#contract/demo/demo.ts'
import type { AppContext } from '#server/app-context.ts'
import { SAMPLE_DIRECTORY } from '#server/config/profiles.ts'
import { Problem } from '#server/lib/problem.ts'
import { findAccount, findAccountByEmail, toUser, type Account } from '#server/features/accounts/account.queries.ts'
import type { SessionService } from '#server/features/auth/sessions/session.service.ts'
import { rolesOn } from '#server/features/officers/officer.queries.ts'
import { openConsole } from '#server/features/officers/sign-in.commands.ts'
import { readContentFile } from '#server/features/seed/content-files.service.ts'
import { answerInDemo, nextReset } from './demo.rules.ts'

const peopleSchema = z.array(z.object({ email: z.email(), about: z.string() }))
const emailsSchema = z.array(
  z.object({ id: z.string(), to: z.array(z.string()), subject: z.string(), text: z.string(), receivedAt: z.string() }),
)

const EMAILS_SHOWN = 20
const TIMEOUT_MS = 5_000
/** Longer than a demo runs, so that no officer of it is asked for a second factor. */
const PROVED_AHEAD_MS = 2 * 3_600_000

/** A public demo: its people, and what it would have sent (decision record 68). On any other site only `requireServed` does anything. */
export function createDemoService(
  { db, clock, config, timeZone }: AppContext,
  {
    sessions,
    subscriptionOf,
  }: {
    sessions: SessionService
    subscriptionOf(accountId: string): Promise<Subscription | null>
  },
) {
  const described = config.demo ? readContentFile(join(SAMPLE_DIRECTORY, 'samples', 'demo.yaml'), peopleSchema) : []
  let ids: Promise<Set<string>> | null = null

  async function findPeople(): Promise<(Account & { about: string })[]> {
    const found = await Promise.all(
      described.map(async ({ email, about }) => {
        const account = await findAccountByEmail(db, email)
        return account && { ...account, about }
      }),
    )
    return found.filter((person) => person !== null)
  }

  const isOfficer = async (accountId: string) => (await rolesOn(db, accountId, dayOf(clock.now(), timeZone))).length > 0

  async function readMailbox(address: string): Promise<z.infer<typeof emailsSchema>> {
    const query = new URLSearchParams({ to: address, limit: String(EMAILS_SHOWN) })
    const response = await fetch(`${config.standinsUrl}/mail/messages.json?${query}`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => null)
    if (!response?.ok) throw new Problem('UNAVAILABLE')
    return z.parse(emailsSchema, await response.json())
  }

  return {
    /** @throws Problem NOT_FOUND for the demo's own endpoints on any other site, DEMO_KEEPS_THIS in a demo */
    async requireServed(endpoint: Endpoint, params: unknown): Promise<void> {
      if (config.demo) ids ??= findPeople().then((people) => new Set(people.map(({ id }) => id)))
      const answer = answerInDemo(endpoint, params, { isDemo: config.demo, people: (await ids) ?? new Set() })
      if (answer === 'missing') throw new Problem('NOT_FOUND')
      if (answer === 'kept') throw new Problem('DEMO_KEEPS_THIS')
    },

    /** @param guest what identifies the browser, from its cookie */
    async read(guest: string): Promise<ReplyOf<typeof readDemo>> {
      const people = (await findPeople()).filter(({ deactivatedBy }) => deactivatedBy === null)
      return {
        people: await Promise.all(
          people.map(async ({ id, email, firstName, lastName, about }) => ({
            email,
            name: `${firstName} ${lastName}`,
            about,
            isOfficer: await isOfficer(id),
          })),
        ),
        guestAddress: guestAddress(guest),
        resetsAt: new Date(nextReset(clock.now())).toISOString(),
      }
    },

    /**
     * Logs in without a password; the session of an officer has its second factor.
     * @throws Problem NOT_FOUND for anyone who is not listed, DEMO_PERSON_GONE
     */
    async enter(email: string, userAgent: string): Promise<ReplyOf<typeof enterDemo>> {
      if (!described.some((person) => person.email === email)) throw new Problem('NOT_FOUND')
      const account = await findAccountByEmail(db, email)
      if (!account || account.deactivatedBy !== null) throw new Problem('DEMO_PERSON_GONE')
      const { token, sessionId, save } = await sessions.prepare(account, userAgent)
      const opensConsole = await isOfficer(account.id)
      await db.transaction().execute(async (tx) => {
        await save(tx)
        const proof = { sessionId, accountId: account.id, now: clock.now() + PROVED_AHEAD_MS }
        if (opensConsole) await openConsole(tx, proof)
      })
      return { token, user: toUser(account), subscription: await subscriptionOf(account.id) }
    },

    /** The emails to this browser's address and to the person who is logged in, newest first: never those of others. */
    async emails(guest: string | null, accountId: string | null): Promise<ReplyOf<typeof listDemoEmails>> {
      const account = accountId === null ? null : await findAccount(db, accountId)
      const addresses = [guest && guestAddress(guest), account?.email].filter((address) => typeof address === 'string')
      const read = await Promise.all(
        addresses.map(async (to) => (await readMailbox(to)).map((email) => ({ ...email, to }))),
      )
      const emails = read.flat().toSorted((one, other) => other.receivedAt.localeCompare(one.receivedAt))
      return { emails: emails.slice(0, EMAILS_SHOWN) }
    },
  }
}

export type DemoService = ReturnType<typeof createDemoService>

const guestAddress = (guest: string) => `guest-${guest}@example.org`

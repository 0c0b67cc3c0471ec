import type { Kysely } from 'kysely'
import type { Permission } from '#contract/access.ts'
import type { getToday } from '#contract/console.ts'
import { dayOf } from '#contract/dates.ts'
import { addDays } from '#contract/days.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { formatMoney } from '#contract/money.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import type { Clock } from '#server/platform/clock.ts'
import { outboxHealth } from '#server/platform/outbox.repository.ts'
import { countMemberRows, EVERYBODY } from '../membership/member-list.repository.ts'
import { listTerms } from './officer.repository.ts'
import { messageUrgency } from './today.rules.ts'
import {
  countBouncedReaders,
  countCurrentMembers,
  countOpenPromises,
  countReaders,
  countWaitingCredentials,
  countWaitingMessages,
  duesSince,
} from './today.repository.ts'

type Today = ReplyOf<typeof getToday>
type Task = Today['tasks'][number]

const DAY_MS = 86_400_000
const RENEWALS_AHEAD_DAYS = 45
const TERMS_AHEAD_DAYS = 60
const BOUNCES_BACK_DAYS = 30

export interface TodayService {
  /** Only what the officer may look at, what is urgent first, and nothing that needs nobody. */
  list(officer: Officer): Promise<Today>
}

export function createTodayService({
  db,
  clock,
  timeZone,
  graceMs,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  graceMs(): number
}): TodayService {
  /** What there may be to do, with who may see it. */
  const wishes: { permission: Permission; find(now: number): Promise<Task> }[] = [
    {
      permission: 'messages.answer',
      async find(now) {
        const { open, oldest } = await countWaitingMessages(db)
        const { urgency, detail } = messageUrgency(oldest, now)
        return { key: 'messages', label: 'Messages to answer', count: open, urgency, detail, path: '/console/messages' }
      },
    },
    {
      permission: 'credentials.decide',
      find: async () => ({
        key: 'credentials',
        label: 'Credentials to look at',
        count: await countWaitingCredentials(db),
        urgency: 'soon',
        detail: null,
        path: '/console/credentials',
      }),
    },
    {
      permission: 'members.look',
      find: async (now) => ({
        key: 'failed-payments',
        label: 'Members whose card failed',
        count: await countMemberRows(db, { ...EVERYBODY, state: 'PAST_DUE' }, { now, graceMs: graceMs() }),
        urgency: 'soon',
        detail: 'The card is tried again by itself, and they were written to.',
        path: '/console/members?status=PAST_DUE',
      }),
    },
    {
      permission: 'members.look',
      find: async (now) => ({
        key: 'renewals',
        label: `Memberships that renew or end within ${RENEWALS_AHEAD_DAYS} days`,
        count: await countMemberRows(
          db,
          { ...EVERYBODY, endsBefore: now + RENEWALS_AHEAD_DAYS * DAY_MS },
          { now, graceMs: graceMs() },
        ),
        urgency: 'calm',
        detail: 'Everybody is reminded by letter.',
        path: '/console/members?ending=45',
      }),
    },
    {
      permission: 'sponsors.look',
      find: async () => ({
        key: 'promises',
        label: 'Promises to sponsors',
        count: await countOpenPromises(db),
        urgency: 'soon',
        detail: null,
        path: '/console/sponsors',
      }),
    },
    {
      permission: 'newsletter.send',
      find: async (now) => ({
        key: 'bounces',
        label: 'Readers whose letters came back this month',
        count: await countBouncedReaders(db, now - BOUNCES_BACK_DAYS * DAY_MS),
        urgency: 'calm',
        detail: 'They are written to no more.',
        path: '/console/subscribers',
      }),
    },
    {
      permission: 'officers.change',
      async find(now) {
        const today = dayOf(now, timeZone)
        const ahead = addDays(today, TERMS_AHEAD_DAYS)
        const terms = await listTerms(db, addDays(today, -1))
        const ending = terms.filter(({ endedAt, endsOn }) => endedAt === null && endsOn <= ahead)
        return {
          key: 'terms',
          label: `Officers’ terms that end within ${TERMS_AHEAD_DAYS} days`,
          count: ending.length,
          urgency: 'calm',
          detail: null,
          path: '/console/officers',
        }
      },
    },
    {
      permission: 'audit.look',
      async find(now) {
        const { dead } = await outboxHealth(db, now)
        return {
          key: 'letters',
          label: 'Letters and calls the site gave up',
          count: dead,
          urgency: 'soon',
          detail: 'The webmaster can try them again.',
          path: null,
        }
      },
    },
  ]

  async function figures(officer: Officer): Promise<Today['figures']> {
    const now = clock.now()
    const yearStart = Date.parse(`${dayOf(now, timeZone).slice(0, 4)}-01-01T00:00:00Z`)
    const [members, readers, dues] = await Promise.all([
      countCurrentMembers(db, now),
      countReaders(db),
      officer.permissions.includes('money.look') ? duesSince(db, yearStart) : null,
    ])
    return [
      { label: 'Members', value: members.toLocaleString('en-US') },
      { label: 'Newsletter readers', value: readers.toLocaleString('en-US') },
      ...(dues === null ? [] : [{ label: 'Dues this year', value: formatMoney(dues, 'usd') }]),
    ]
  }

  const weight = { late: 0, soon: 1, calm: 2 }

  return {
    async list(officer) {
      const seen = wishes.filter(({ permission }) => officer.permissions.includes(permission))
      const tasks = await Promise.all(seen.map(({ find }) => find(clock.now())))
      return {
        tasks: tasks.filter(({ count }) => count > 0).sort((a, b) => weight[a.urgency] - weight[b.urgency]),
        figures: await figures(officer),
      }
    },
  }
}

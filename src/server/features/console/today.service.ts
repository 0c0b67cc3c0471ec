import type { Kysely } from 'kysely'
import type { Permission } from '#contract/access.ts'
import { TODAY_LOOKS, type getToday, type TaskKey, type TaskOfToday } from '#contract/console.ts'
import type { MemberState } from '#contract/console-members.ts'
import { dayOf } from '#contract/dates.ts'
import { addDays } from '#contract/days.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { formatMoney } from '#contract/money.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import type { Clock } from '#server/platform/clock.ts'
import { startOfDay } from '#server/platform/local-time.rules.ts'
import { countHeld } from '../content/content-revision.repository.ts'
import { countRefusedSchedules } from '../newsletter/draft.repository.ts'
import { outboxHealth } from '#server/platform/outbox.repository.ts'
import { countMemberRows, EVERYBODY } from '../membership/member-list.repository.ts'
import type { ApprovalService } from './approval.service.ts'
import { listTerms } from './officer.repository.ts'
import { deadlineUrgency, messageUrgency, nextDeadline } from './today.rules.ts'
import {
  countBouncedReaders,
  countMessagesAbout,
  countOpenPromises,
  countReaders,
  countWaitingCredentials,
  countWaitingMessages,
  duesSince,
} from './today.repository.ts'

type Today = ReplyOf<typeof getToday>
type Task = TaskOfToday

const DAY_MS = 86_400_000

export interface TodayService {
  /** Only what the officer may look at, what is urgent first, and nothing that needs nobody. */
  list(officer: Officer): Promise<Today>
}

export function createTodayService({
  db,
  clock,
  timeZone,
  graceMs,
  scholarshipDeadline,
  countCredentialsAgain,
  rollOverTask,
  approvals,
  siteWarnings,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  graceMs(): number
  /** Month and day, `MM-DD`. */
  scholarshipDeadline(): string
  /** Approved credentials that are due for another look. */
  countCredentialsAgain(): Promise<number>
  rollOverTask(): Promise<TaskOfToday>
  approvals: Pick<ApprovalService, 'countFor'>
  siteWarnings(): Promise<{ reason: string }[]>
}): TodayService {
  const todayOf = (now: number) => dayOf(now, timeZone)
  const calm = (count: number, detail: string | null = null): Task => ({ count, urgency: 'calm', detail })
  const soon = (count: number, detail: string | null = null): Task => ({ count, urgency: 'soon', detail })

  /** What there may be to do, with who may see it; null when it is not the time for it. */
  const wishes: Record<TaskKey, { permission: Permission; find(now: number, officer: Officer): Promise<Task | null> }> =
    {
      approvals: {
        permission: 'officers.change',
        find: async (_now, officer) =>
          soon(await approvals.countFor(officer), 'Nothing happens until a second officer decides.'),
      },
      messages: {
        permission: 'messages.answer',
        async find(now) {
          const { open, oldest } = await countWaitingMessages(db)
          return { count: open, ...messageUrgency(oldest, now) }
        },
      },
      credentials: { permission: 'credentials.decide', find: async () => soon(await countWaitingCredentials(db)) },
      'credentials-again': {
        permission: 'credentials.decide',
        find: async () => calm(await countCredentialsAgain(), 'They were approved long ago, or a training ended.'),
      },
      'failed-payments': {
        permission: 'members.look',
        find: async (now) =>
          soon(
            await countMemberRows(db, { ...EVERYBODY, state: 'PAST_DUE' }, { now, graceMs: graceMs() }),
            'The card is tried again automatically, and they were written to.',
          ),
      },
      renewals: {
        permission: 'members.look',
        async find(now) {
          const endsBefore = now + TODAY_LOOKS.renewalsAhead * DAY_MS
          const count = await countMemberRows(db, { ...EVERYBODY, endsBefore }, { now, graceMs: graceMs() })
          return calm(count, 'Everybody is reminded by letter.')
        },
      },
      promises: { permission: 'sponsors.look', find: async () => soon(await countOpenPromises(db)) },
      bounces: {
        permission: 'newsletter.send',
        find: async (now) =>
          calm(
            await countBouncedReaders(db, now - TODAY_LOOKS.bouncesBack * DAY_MS),
            'They came back for good: the addresses are written to no more.',
          ),
      },
      scholarships: {
        permission: 'messages.answer',
        async find(now) {
          const today = todayOf(now)
          const deadline = nextDeadline(scholarshipDeadline(), today)
          if (deadline > addDays(today, TODAY_LOOKS.scholarshipsAhead)) return null
          return { count: await countMessagesAbout(db, 'scholarship'), ...deadlineUrgency(deadline, today) }
        },
      },
      terms: {
        permission: 'officers.change',
        async find(now) {
          const today = todayOf(now)
          const ahead = addDays(today, TODAY_LOOKS.termsAhead)
          const terms = await listTerms(db, addDays(today, -1))
          return calm(terms.filter(({ endedAt, endsOn }) => endedAt === null && endsOn <= ahead).length)
        },
      },
      'roll-over': { permission: 'officers.change', find: rollOverTask },
      held: {
        permission: 'content.change',
        find: async () =>
          soon(
            (await countHeld(db)) + (await countRefusedSchedules(db)),
            'They did not go out at their hour. The page of each says why.',
          ),
      },
      letters: {
        permission: 'audit.look',
        async find(now) {
          const { dead } = await outboxHealth(db, now)
          return soon(dead, 'The webmaster can try them again.')
        },
      },
      site: {
        permission: 'audit.look',
        async find() {
          const warnings = await siteWarnings()
          return soon(warnings.length, warnings.map(({ reason }) => reason).join(' '))
        },
      },
    }
  /** Shown even when there is nothing to count. */
  const ALWAYS = new Set<TaskKey>(['scholarships'])

  async function look(officer: Officer): Promise<Today['tasks']> {
    const now = clock.now()
    const seen = Object.entries(wishes).filter(([, { permission }]) => officer.permissions.includes(permission))
    const tasks = await Promise.all(
      seen.map(async ([name, { find }]) => {
        const key = name as TaskKey
        const task = await find(now, officer)
        return task && (task.count > 0 || ALWAYS.has(key)) ? [{ key, ...task }] : []
      }),
    )
    return tasks.flat()
  }

  async function figures(officer: Officer): Promise<Today['figures']> {
    const now = clock.now()
    const yearStart = startOfDay(`${todayOf(now).slice(0, 4)}-01-01`, timeZone)
    const countMembers = (state: MemberState) =>
      countMemberRows(db, { ...EVERYBODY, state }, { now, graceMs: graceMs() })
    const [active, pastDue, readers, dues] = await Promise.all([
      countMembers('ACTIVE'),
      countMembers('PAST_DUE'),
      countReaders(db),
      officer.permissions.includes('money.look') ? duesSince(db, yearStart) : null,
    ])
    return [
      { label: 'Members', value: (active + pastDue).toLocaleString('en-US') },
      { label: 'Newsletter readers', value: readers.toLocaleString('en-US') },
      ...(dues === null ? [] : [{ label: 'Dues this year', value: formatMoney(dues, 'usd') }]),
    ]
  }

  const weight = { late: 0, soon: 1, calm: 2 }

  return {
    async list(officer) {
      const tasks = await look(officer)
      return { tasks: tasks.sort((a, b) => weight[a.urgency] - weight[b.urgency]), figures: await figures(officer) }
    },
  }
}

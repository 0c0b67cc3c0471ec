import type { AppContext } from '#server/app-context.ts'
import type { Permission } from '#contract/access.ts'
import { TODAY_WINDOW_DAYS, type getToday, type TaskKey, type TodayTask } from '#contract/console/console.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { Officer } from '#server/http/serve.ts'
import { nextDeadline } from '#server/features/content-store/deadline.rules.ts'
import { countHeld } from '#server/features/content/content-revision.queries.ts'
import { countRejectedSchedules } from '#server/features/newsletter/composing/draft.queries.ts'
import { outboxHealth } from '#server/jobs/outbox-records.repository.ts'
import { countMemberRows, ALL_MEMBERS } from '#server/features/member-admin/member-list.queries.ts'
import type { ApprovalService } from '#server/features/officers/approvals/approval.service.ts'
import { listTerms } from '#server/features/officers/officer.queries.ts'
import { deadlineUrgency, messageUrgency } from './today.rules.ts'
import { countBouncedSubscribers, countMessagesAbout, countBenefitsDue, countOpenMessages } from './today.repository.ts'

type Today = ReplyOf<typeof getToday>
type Task = TodayTask

const DAY_MS = 86_400_000

export function createTodayService(
  { cache, db, clock, timeZone, graceMs, settings }: AppContext,
  {
    countCredentialsToReview,
    countCredentialRechecks,
    rollOverTask,
    approvals,
    siteWarnings,
    setupLeft,
    newerRelease,
  }: {
    /** Credentials that await an officer, not the member. */
    countCredentialsToReview(): Promise<number>
    /** Approved credentials that are due for a recheck. */
    countCredentialRechecks(): Promise<number>
    rollOverTask(): Promise<TodayTask>
    approvals: Pick<ApprovalService, 'countFor'>
    siteWarnings(): Promise<{ reason: string }[]>
    /** Steps until a new site opens, opening it included, and those that it can open without; none if it is open. */
    setupLeft(): Promise<{ steps: number; optional: readonly string[] }>
    newerRelease(): Promise<{ version: string; brings: string[] } | null>
  },
) {
  const todayOf = (now: number) => dayOf(now, timeZone)
  const calm = (count: number, detail: string | null = null): Task => ({ count, urgency: 'calm', detail })
  const soon = (count: number, detail: string | null = null): Task => ({ count, urgency: 'soon', detail })

  /** Every possible task and its permission; null outside its season. */
  const taskFinders: Record<
    TaskKey,
    { permission: Permission; find(now: number, officer: Officer): Promise<Task | null> }
  > = {
    setup: {
      permission: 'site.setup',
      async find() {
        const { steps, optional } = await setupLeft()
        const also = optional.length > 0 ? ` Optional: ${optional.join(' and ')}.` : ''
        return soon(steps, `Until then, visitors see that the site is being set up.${also}`)
      },
    },
    approvals: {
      permission: 'officers.change',
      find: async (_now, officer) =>
        soon(await approvals.countFor(officer), 'Nothing changes until a second officer decides.'),
    },
    messages: {
      permission: 'messages.answer',
      async find(now) {
        const { open, oldest } = await countOpenMessages(db)
        return { count: open, ...messageUrgency(oldest, now) }
      },
    },
    credentials: { permission: 'credentials.decide', find: async () => soon(await countCredentialsToReview()) },
    'credentials-again': {
      permission: 'credentials.decide',
      find: async () =>
        calm(await countCredentialRechecks(), 'They were approved long ago, or a training period ended.'),
    },
    'failed-payments': {
      permission: 'members.look',
      find: async (now) =>
        soon(
          await countMemberRows(db, { ...ALL_MEMBERS, states: ['PAST_DUE'] }, { now, graceMs: graceMs() }),
          'The card is retried automatically, and the members were emailed.',
        ),
    },
    renewals: {
      permission: 'members.look',
      async find(now) {
        const endsBefore = now + TODAY_WINDOW_DAYS.renewalsAhead * DAY_MS
        const count = await countMemberRows(db, { ...ALL_MEMBERS, endsBefore }, { now, graceMs: graceMs() })
        return calm(count, 'Members are reminded by email.')
      },
    },
    promises: { permission: 'sponsors.look', find: async () => soon(await countBenefitsDue(db)) },
    bounces: {
      permission: 'newsletter.send',
      find: async (now) =>
        calm(
          await countBouncedSubscribers(db, now - TODAY_WINDOW_DAYS.bouncesBack * DAY_MS),
          'These addresses bounced permanently and no longer receive the newsletter.',
        ),
    },
    scholarships: {
      permission: 'messages.answer',
      async find(now) {
        if (!settings().parts.scholarships) return null
        const today = todayOf(now)
        const deadline = nextDeadline(settings().scholarships.deadline, today)
        if (deadline > addDays(today, TODAY_WINDOW_DAYS.scholarshipsAhead)) return null
        return { count: await countMessagesAbout(db, 'scholarship'), ...deadlineUrgency(deadline, today) }
      },
    },
    terms: {
      permission: 'officers.change',
      async find(now) {
        const today = todayOf(now)
        const ahead = addDays(today, TODAY_WINDOW_DAYS.termsAhead)
        const terms = await listTerms(db, addDays(today, -1))
        return calm(terms.filter(({ endedAt, endsOn }) => endedAt === null && endsOn <= ahead).length)
      },
    },
    'roll-over': { permission: 'officers.change', find: rollOverTask },
    unfinished: {
      permission: 'content.change',
      async find() {
        const unfinished = cache.content().unfinished.map(({ name }) => name)
        const names = unfinished.length > 6 ? [...unfinished.slice(0, 5), `${unfinished.length - 5} more`] : unfinished
        return soon(
          unfinished.length,
          `${names.join(', ')}. Until they are written, the site says that it is being set up, and search engines do not list it.`,
        )
      },
    },
    held: {
      permission: 'content.change',
      find: async () =>
        soon(
          (await countHeld(db)) + (await countRejectedSchedules(db)),
          'They were not published or sent on time. The page of each says why.',
        ),
    },
    emails: {
      permission: 'audit.look',
      async find(now) {
        const { dead } = await outboxHealth(db, now)
        return soon(dead, 'The webmaster can retry them.')
      },
    },
    site: {
      permission: 'audit.look',
      async find() {
        const warnings = await siteWarnings()
        return soon(warnings.length, warnings.map(({ reason }) => reason).join(' '))
      },
    },
    release: {
      permission: 'audit.look',
      async find() {
        const release = await newerRelease()
        if (!release) return null
        const { version, brings } = release
        return calm(1, [`Release ${version}:`, ...brings, 'The webmaster installs it.'].join(' '))
      },
    },
  }
  /** Shown even if the count is 0. */
  const ALWAYS = new Set<TaskKey>(['scholarships'])

  async function listTasks(officer: Officer): Promise<Today['tasks']> {
    const now = clock.now()
    const permitted = Object.entries(taskFinders).filter(([, { permission }]) =>
      officer.permissions.includes(permission),
    )
    const tasks = await Promise.all(
      permitted.map(async ([name, { find }]) => {
        const key = name as TaskKey
        const task = await find(now, officer)
        return task && (task.count > 0 || ALWAYS.has(key)) ? [{ key, ...task }] : []
      }),
    )
    return tasks.flat()
  }

  const weight = { late: 0, soon: 1, calm: 2 }

  return {
    /** Returns only tasks the officer has permission for, most urgent first; omits those with nothing to do. */
    async list(officer: Officer): Promise<Today> {
      const tasks = await listTasks(officer)
      return { tasks: tasks.sort((a, b) => weight[a.urgency] - weight[b.urgency]) }
    },
  }
}

export type TodayService = ReturnType<typeof createTodayService>

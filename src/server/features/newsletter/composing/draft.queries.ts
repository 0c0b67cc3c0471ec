import type { Db } from '#server/db/database.ts'
import type { MailingScheduleTable } from '#server/db/schema/newsletter-schema.ts'

export type Schedule = Pick<MailingScheduleTable, 'campaignId' | 'dueAt' | 'askedBy' | 'refused'>

export async function listSchedules(db: Db): Promise<Schedule[]> {
  return db.selectFrom('mailingSchedule').selectAll().orderBy('dueAt').execute()
}

/** Counts newsletters that were not sent at their scheduled time. */
export async function countRejectedSchedules(db: Db): Promise<number> {
  return (await listSchedules(db)).filter(({ refused }) => refused !== null).length
}

/** Whether the schedule is pending; a refused one no longer blocks editing. */
export function isSchedulePending(schedule: Schedule | null): schedule is Schedule {
  return schedule !== null && schedule.refused === null
}

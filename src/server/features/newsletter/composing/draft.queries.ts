import type { Db } from '#server/db/database.ts'
import type { CampaignRecipients, MailingScheduleTable } from '#server/db/schema/newsletter-schema.ts'

export type Schedule = Pick<MailingScheduleTable, 'campaignId' | 'dueAt' | 'askedBy' | 'refused'>

export async function listSchedules(db: Db): Promise<Schedule[]> {
  return db.selectFrom('mailingSchedule').selectAll().orderBy('dueAt').execute()
}

/** The schedules of newsletters, or of emails to members. */
export async function listSchedulesFor(db: Db, recipients: CampaignRecipients): Promise<Schedule[]> {
  return db
    .selectFrom('mailingSchedule')
    .innerJoin('campaign', 'campaign.id', 'mailingSchedule.campaignId')
    .selectAll('mailingSchedule')
    .where('campaign.recipients', '=', recipients)
    .orderBy('dueAt')
    .execute()
}

/** Counts newsletters and emails to members that were not sent at their scheduled time. */
export async function countRejectedSchedules(db: Db): Promise<number> {
  return (await listSchedules(db)).filter(({ refused }) => refused !== null).length
}

/** Whether the schedule is pending; a refused one no longer blocks editing. */
export function isSchedulePending(schedule: Schedule | null): schedule is Schedule {
  return schedule !== null && schedule.refused === null
}

import type { Db } from '#server/db/database.ts'

export interface Schedule {
  campaignId: string
  /** Epoch milliseconds. */
  dueAt: number
  /** An officer's account. */
  scheduledBy: string
  rejectionReason: string | null
}

export async function listSchedules(db: Db): Promise<Schedule[]> {
  const rows = await db.selectFrom('mailingSchedule').selectAll().orderBy('dueAt').execute()
  return rows.map(({ campaignId, dueAt, askedBy, refused }) => ({
    campaignId,
    dueAt,
    scheduledBy: askedBy,
    rejectionReason: refused,
  }))
}

/** Counts newsletters that were not sent at their scheduled time. */
export async function countRejectedSchedules(db: Db): Promise<number> {
  return (await listSchedules(db)).filter(({ rejectionReason: refused }) => refused !== null).length
}

/** Whether the schedule is pending; a refused one no longer blocks editing. */
export function isSchedulePending(schedule: Schedule | null): schedule is Schedule {
  return schedule !== null && schedule.rejectionReason === null
}

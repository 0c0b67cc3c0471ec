import { addDays } from '#contract/dates/days.ts'
import type { Settings } from '#server/features/content-store/settings.schema.ts'
import type { MeetingKind, MemberEmailDetail, MemberEmailTopic } from '#contract/console/emails/member-emails.ts'

/** Days before a meeting between which its notice is sent, from the settings (docs/product-rules.md#notice-of-a-meeting). */
export type NoticeDays = Settings['notices']

/** The days on which a notice of a meeting may be sent, the last one included. */
export function noticeWindow(
  { meetingOn, meetingKind }: { meetingOn: string; meetingKind: MeetingKind },
  { annualDays, specialDays, maxDays }: NoticeDays,
): NonNullable<MemberEmailDetail['window']> {
  const minDays = meetingKind === 'annual' ? annualDays : specialDays
  return {
    meetingOn,
    meetingKind,
    opensOn: addDays(meetingOn, -maxDays),
    closesOn: addDays(meetingOn, -minDays),
    minDays,
    maxDays,
  }
}

/** The window of an email's meeting; null for one that is no notice of a meeting. */
export function windowOf(
  { topic, meetingOn, meetingKind }: { topic: MemberEmailTopic; meetingOn: string | null; meetingKind: MeetingKind },
  days: NoticeDays,
): MemberEmailDetail['window'] {
  return topic === 'notice' && meetingOn !== null ? noticeWindow({ meetingOn, meetingKind }, days) : null
}

/** Whether a notice sent on this day is in time. @param day `YYYY-MM-DD`, as the days of the window */
export function isInWindow(day: string, { opensOn, closesOn }: { opensOn: string; closesOn: string }): boolean {
  return opensOn <= day && day <= closesOn
}

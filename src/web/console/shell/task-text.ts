import { TODAY_WINDOW_DAYS, type TaskKey } from '#contract/console/console.ts'

interface TaskText {
  label: string
  /** Replaces the label, and hides the count, when the task exists for another reason than its count. */
  none?: string
  path: string | null
}

/** The label of a task and the console page it opens; null when there is none. */
export const TASK_TEXT: Record<TaskKey, TaskText> = {
  approvals: { label: 'Requests that need a second officer', path: '/console/approvals' },
  messages: { label: 'Messages to answer', path: '/console/messages' },
  credentials: { label: 'Credentials to review', path: '/console/credentials' },
  'credentials-again': { label: 'Credentials due for recheck', path: '/console/credentials?list=again' },
  'failed-payments': { label: 'Members whose card failed', path: '/console/members?status=PAST_DUE' },
  renewals: {
    label: `Memberships that renew or end within ${TODAY_WINDOW_DAYS.renewalsAhead} days`,
    path: `/console/members?ending=${TODAY_WINDOW_DAYS.renewalsAhead}`,
  },
  promises: { label: 'Sponsor benefits', path: '/console/sponsors' },
  bounces: {
    label: `Bounced emails in the last ${TODAY_WINDOW_DAYS.bouncesBack} days`,
    path: '/console/subscribers?state=bounced',
  },
  scholarships: {
    label: 'Scholarship questions',
    none: 'Scholarship applications close soon',
    path: '/console/messages?q=scholarship',
  },
  terms: { label: `Officers’ terms that end within ${TODAY_WINDOW_DAYS.termsAhead} days`, path: '/console/officers' },
  'roll-over': { label: 'Start the new term', path: '/console/roll-over' },
  held: { label: 'Held publications and newsletters', path: '/console/content' },
  emails: { label: 'Failed deliveries', path: null },
  site: { label: 'System alerts', path: null },
}

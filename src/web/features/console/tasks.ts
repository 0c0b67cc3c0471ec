import { TODAY_LOOKS, type TaskKey } from '#contract/console.ts'

interface TaskWords {
  label: string
  /** In place of the label where the task is there for another reason than its count, which is then left out. */
  none?: string
  path: string | null
}

/** What a task of today is called, and where the console shows it; null where there is nothing to open. */
export const TASK_WORDS: Record<TaskKey, TaskWords> = {
  approvals: { label: 'Requests that need a second officer', path: '/console/approvals' },
  messages: { label: 'Messages to answer', path: '/console/messages' },
  credentials: { label: 'Credentials to look at', path: '/console/credentials' },
  'credentials-again': { label: 'Credentials to look at again', path: '/console/credentials?list=again' },
  'failed-payments': { label: 'Members whose card failed', path: '/console/members?status=PAST_DUE' },
  renewals: {
    label: `Memberships that renew or end within ${TODAY_LOOKS.renewalsAhead} days`,
    path: `/console/members?ending=${TODAY_LOOKS.renewalsAhead}`,
  },
  promises: { label: 'Promises to sponsors', path: '/console/sponsors' },
  bounces: {
    label: `Readers whose letters came back within ${TODAY_LOOKS.bouncesBack} days`,
    path: '/console/subscribers?state=bounced',
  },
  scholarships: {
    label: 'Questions about scholarships',
    none: 'Scholarship applications close soon',
    path: '/console/messages?q=scholarship',
  },
  terms: { label: `Officers’ terms that end within ${TODAY_LOOKS.termsAhead} days`, path: '/console/officers' },
  'roll-over': { label: 'The year to move on', path: '/console/roll-over' },
  held: { label: 'Held publications and newsletters', path: '/console/content' },
  letters: { label: 'Letters and calls the site gave up', path: null },
  site: { label: 'Warnings about the site', path: null },
}

import { TODAY_WINDOW_DAYS, type TaskKey } from '#contract/console/console.ts'
import type { IconName } from '../ui/console-icons.ts'

interface TaskText {
  icon: IconName
  /** Says how many. */
  label(count: number): string
  /** Replaces the label when the task exists for another reason than its count. */
  none?: string
  /** The page that opens it, and the button's text; null when there is none. */
  open: { path: string; label: string } | null
}

const counted = (one: string, many: string) => (count: number) => (count === 1 ? one : `${count} ${many}`)

/** The text of each kind of task, and the console page it opens. */
export const TASK_TEXT: Record<TaskKey, TaskText> = {
  setup: {
    icon: 'building',
    label: counted('1 step until the site opens', 'steps until the site opens'),
    open: { path: '/console/setup', label: 'Continue' },
  },
  approvals: {
    icon: 'shield',
    label: counted('1 request needs a second officer', 'requests need a second officer'),
    open: { path: '/console/approvals', label: 'Review' },
  },
  messages: {
    icon: 'chat',
    label: counted('1 message to answer', 'messages to answer'),
    open: { path: '/console/messages', label: 'Reply' },
  },
  credentials: {
    icon: 'credential',
    label: counted('Review 1 credential', 'credentials to review'),
    open: { path: '/console/credentials', label: 'Review' },
  },
  'credentials-again': {
    icon: 'credential',
    label: counted('1 credential is due for recheck', 'credentials are due for recheck'),
    open: { path: '/console/credentials?list=again', label: 'Review' },
  },
  'failed-payments': {
    icon: 'card',
    label: counted('1 renewal card failed', 'renewal cards failed'),
    open: { path: '/console/members?status=PAST_DUE', label: 'View members' },
  },
  renewals: {
    icon: 'cycle',
    label: counted(
      `1 membership renews or ends within ${TODAY_WINDOW_DAYS.renewalsAhead} days`,
      `memberships renew or end within ${TODAY_WINDOW_DAYS.renewalsAhead} days`,
    ),
    open: { path: `/console/members?ending=${TODAY_WINDOW_DAYS.renewalsAhead}`, label: 'View members' },
  },
  promises: {
    icon: 'ribbon',
    label: counted('1 sponsor benefit to deliver', 'sponsor benefits to deliver'),
    open: { path: '/console/sponsors', label: 'View benefits' },
  },
  bounces: {
    icon: 'alert',
    label: counted(
      `1 bounced email in the last ${TODAY_WINDOW_DAYS.bouncesBack} days`,
      `bounced emails in the last ${TODAY_WINDOW_DAYS.bouncesBack} days`,
    ),
    open: { path: '/console/subscribers?state=bounced', label: 'Review' },
  },
  scholarships: {
    icon: 'chat',
    label: counted('1 scholarship question', 'scholarship questions'),
    none: 'Scholarship applications close soon',
    open: { path: '/console/messages?q=scholarship', label: 'View messages' },
  },
  terms: {
    icon: 'key',
    label: counted(
      `1 officer’s term ends within ${TODAY_WINDOW_DAYS.termsAhead} days`,
      `officers’ terms end within ${TODAY_WINDOW_DAYS.termsAhead} days`,
    ),
    open: { path: '/console/officers', label: 'View officers' },
  },
  unfinished: {
    icon: 'edit',
    label: counted('1 text to write before the site opens', 'texts to write before the site opens'),
    open: { path: '/console/content', label: 'Write' },
  },
  'roll-over': {
    icon: 'cycle',
    label: () => 'Start the new term',
    open: { path: '/console/roll-over', label: 'Start' },
  },
  held: {
    icon: 'clock',
    label: counted('1 publication or newsletter was held', 'publications and newsletters were held'),
    open: { path: '/console/content', label: 'Review' },
  },
  emails: { icon: 'mail', label: counted('1 failed delivery', 'failed deliveries'), open: null },
  release: { icon: 'cycle', label: () => 'A newer release is available', open: null },
  site: { icon: 'alert', label: counted('1 system alert', 'system alerts'), open: null },
}

import type { NewsletterEntry } from '#contract/console/newsletter.ts'
import { formatLongDate, formatMoment } from '#contract/dates/dates.ts'
import { Badge } from '#web/ui/badge.tsx'
import type { Column } from '../list/data-table.tsx'
import { CAMPAIGN_STATE_BADGES } from './campaign-states.ts'

const result = (key: keyof NonNullable<NewsletterEntry['results']>, label: string, priority: 2 | 3) =>
  ({
    key,
    label,
    priority,
    isNumber: true,
    cell: ({ results }) => results?.[key].toLocaleString('en-US') ?? '',
  }) satisfies Column<NewsletterEntry>

/** No opens and clicks: the site promises its readers no tracking. */
export const campaignColumns: Column<NewsletterEntry>[] = [
  { key: 'subject', label: 'Subject', priority: 2, cell: ({ subject }) => subject },
  {
    key: 'state',
    label: 'Status',
    staysFolded: true,
    cell: ({ state }) => <Badge tone={CAMPAIGN_STATE_BADGES[state][0]}>{CAMPAIGN_STATE_BADGES[state][1]}</Badge>,
  },
  { key: 'date', label: 'Date', priority: 2, cell: campaignDate },
  result('recipients', 'Recipients', 3),
  result('delivered', 'Delivered', 2),
  result('bounced', 'Bounced', 3),
  result('unsubscribed', 'Unsubscribed', 3),
]

export function campaignDate({ scheduledFor, sentAt, updatedAt }: NewsletterEntry): string {
  if (scheduledFor) return formatMoment(scheduledFor)
  return sentAt ? formatLongDate(sentAt) : `Changed ${formatMoment(updatedAt)}`
}

import { useState, type ReactNode } from 'react'
import { readEvent, type EventHead } from '#contract/console/events/events.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Link } from '#web/ui/link.tsx'
import { ContentStateBadge } from '#web/console/content/content-state-badge.tsx'
import { ConsolePage } from '#web/console/shell/console-page.tsx'
import { useLoaded, type Loaded } from '#web/console/shell/use-loaded.ts'
import { PageTabs } from '#web/console/ui/page-tabs.tsx'
import { RowMenu } from '#web/console/ui/row-menu.tsx'
import { DuplicateDialog } from './duplicate-dialog.tsx'
import { eventUrls } from './event-urls.ts'

type Tab = keyof ReturnType<typeof eventUrls>

interface EventPageProps {
  id: string
  tab: Tab
  /** Known without a network, for check-in. */
  title?: string | undefined
  when?: string | undefined
  /** The tab's main action. */
  action?: ReactNode
  children(head: Loaded<EventHead>): ReactNode
}

/** One event: its head, and a tab for each of its parts. */
export function EventPage({ id, tab, title, when, action, children }: EventPageProps) {
  const head = useLoaded(readEvent, { params: { id } })
  const { value } = head
  return (
    <ConsolePage
      title={value?.title ?? title ?? 'Event'}
      lead={
        <>
          <Link to="/console/rsvp">Events</Link>
          {(value?.when ?? when) && ` · ${value?.when ?? when}`}
          {value?.location && `, ${value.location}`}{' '}
          {value &&
            (value.rsvps === 'off' ? <Badge tone="bad">Canceled</Badge> : <ContentStateBadge state={value.content} />)}
        </>
      }
      action={
        <div className="buttons">
          {action}
          <EventMenu head={value} />
        </div>
      }
    >
      <EventTabs id={id} tab={tab} head={value} />
      {children(head)}
    </ConsolePage>
  )
}

/** The tabs alone, for the editor of its content, which has a head of its own. */
export function EventTabs({ id, tab, head }: { id: string; tab: Tab; head: EventHead | null }) {
  const urls = eventUrls(id)
  const tabs: [Tab, string, number?][] = [
    ['details', 'Details'],
    ['rsvps', 'RSVPs & tickets'],
    ['attendees', 'Attendees', head?.coming],
    ['checkIn', 'Check-in'],
    ['emails', 'Emails', head?.messages],
  ]
  return (
    <PageTabs
      label="Event"
      tabs={tabs.map(([key, label, count]) => ({
        label,
        to: urls[key],
        isCurrent: key === tab,
        count: count || undefined,
      }))}
    />
  )
}

/** What can be done with the event as a whole. */
function EventMenu({ head }: { head: EventHead | null }) {
  const [isCopying, setCopying] = useState(false)
  if (!head) return null
  return (
    <>
      <RowMenu
        name={`Actions for ${head.title}`}
        items={[
          ...(head.path === null ? [] : [{ label: 'View on site', to: head.path }]),
          { label: 'Duplicate', onSelect: () => setCopying(true) },
        ]}
      />
      <DuplicateDialog event={isCopying ? head : null} onClose={() => setCopying(false)} />
    </>
  )
}

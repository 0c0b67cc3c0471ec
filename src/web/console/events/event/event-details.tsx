import { useState } from 'react'
import { NEW_RECORD } from '#contract/console/content.ts'
import { readEvent } from '#contract/console/events/events.ts'
import ContentRecordPage from '#web/console/content/content-record.tsx'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { DuplicateDialog } from './duplicate-dialog.tsx'
import { EventTabs } from './event-page.tsx'

const PARENT = { to: '/console/rsvp', text: 'Events' }

/** The texts and pictures of an event: the editor of its content, among the event's tabs. */
export default function EventDetailsPage({ id }: { id: string }) {
  if (id === NEW_RECORD) return <ContentRecordPage kind="events" id={id} parent={PARENT} />
  return <Tabbed id={id} />
}

function Tabbed({ id }: { id: string }) {
  const { value } = useLoaded(readEvent, { params: { id } })
  const [isCopying, setCopying] = useState(false)
  return (
    <>
      <ContentRecordPage
        kind="events"
        id={id}
        parent={PARENT}
        tabs={<EventTabs id={id} tab="details" head={value} />}
        more={[{ label: 'Duplicate', onSelect: () => setCopying(true) }]}
      />
      <DuplicateDialog event={isCopying ? value : null} onClose={() => setCopying(false)} />
    </>
  )
}

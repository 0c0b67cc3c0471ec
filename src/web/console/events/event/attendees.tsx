import { region } from '#contract/region.ts'
import { useState } from 'react'
import {
  ATTENDEE_SORTS,
  ATTENDEE_STATES,
  exportAttendees,
  listAttendees,
  offerSeat,
  type Attendee,
  type AttendeeState,
} from '#contract/console/events/events.ts'
import { removeRsvp } from '#contract/console/rsvp.ts'
import { formatDeadline, formatMoment } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ColumnChooser } from '#web/console/list/column-chooser.tsx'
import { DataTable, type Column } from '#web/console/list/data-table.tsx'
import { ListPager } from '#web/console/list/list-pager.tsx'
import { ListStates } from '#web/console/list/list-states.tsx'
import { ListTools } from '#web/console/list/list-tools.tsx'
import { useList } from '#web/console/list/use-list.ts'
import { callAsOfficer, officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { reloadPageData, useLoaded } from '#web/console/shell/use-loaded.ts'
import { Drawer } from '#web/console/ui/drawer.tsx'
import { Empty } from '#web/console/ui/empty.tsx'
import { PageTabs } from '#web/console/ui/page-tabs.tsx'
import { showFailure, showToast } from '#web/console/ui/toasts.tsx'
import { useNextFocus } from '#web/console/ui/use-next-focus.ts'
import { AttendeeForm } from './attendee-form.tsx'
import { EventPage } from './event-page.tsx'
import { eventUrls } from './event-urls.ts'

const STATE_NAMES: Record<AttendeeState, string> = {
  active: 'All',
  coming: 'Coming',
  paying: 'To pay',
  waiting: 'Waitlist',
  arrived: 'Checked in',
  cancelled: 'Canceled',
}

const STATUS = {
  coming: ['ok', 'Coming'],
  paying: ['warn', 'To pay'],
  waiting: ['warn', 'Waitlist'],
  cancelled: ['quiet', 'Canceled'],
} as const

const NAME = {
  label: 'Name',
  sort: 'name',
  text: ({ name }: Attendee) => name,
  cell: ({ name, memberId }: Attendee) =>
    memberId === null ? <b>{name}</b> : <Link to={`/console/members/${memberId}`}>{name}</Link>,
}

const COLUMNS: Column<Attendee>[] = [
  {
    key: 'status',
    label: 'Status',
    staysFolded: true,
    cell: ({ status, arrived }) =>
      arrived > 0 ? <Badge tone="ok">Checked in</Badge> : <Badge tone={STATUS[status][0]}>{STATUS[status][1]}</Badge>,
  },
  { key: 'email', label: 'Email', priority: 2, cell: ({ email, isWalkIn }) => email ?? (isWalkIn ? 'Walk-in' : '') },
  { key: 'guests', label: 'Guests', isNumber: true, isSortable: true, priority: 2, cell: ({ guests }) => guests },
  { key: 'tickets', label: 'Tickets', priority: 2, cell: ({ tickets }) => tickets.join(', ') },
  { key: 'meals', label: 'Meals', priority: 3, cell: ({ meals }) => meals.join(', ') },
  { key: 'paid', label: 'Paid', isNumber: true, priority: 2, cell: paidText },
  { key: 'asked', label: 'RSVP on', isSortable: true, priority: 3, cell: ({ askedAt }) => formatMoment(askedAt) },
  {
    key: 'arrived',
    label: 'Arrived',
    isNumber: true,
    isSortable: true,
    priority: 3,
    cell: ({ arrived, guests }) => (arrived > 0 ? `${arrived} of ${guests + 1}` : ''),
  },
]

/** The RSVPs of an event: find, add, cancel, offer seats, export. */
export default function AttendeesPage({ id }: { id: string }) {
  const list = useList({
    name: 'attendees',
    filters: ['state'],
    columns: COLUMNS.map(({ key }) => key).filter((key) => key !== 'arrived'),
  })
  const state = ATTENDEE_STATES.find((one) => one === list.filters['state']?.[0]) ?? 'active'
  const sort = ATTENDEE_SORTS.find((one) => one === list.sort) ?? 'name'
  const choice = {
    state,
    q: list.query || undefined,
    sort,
    order: list.isDescending ? ('down' as const) : ('up' as const),
  }
  const found = useLoaded(listAttendees, {
    params: { id },
    query: { ...choice, page: String(list.page), size: String(list.size) },
  })
  const moveFocus = useNextFocus(found.value)
  const [canceling, setCanceling] = useState<Attendee | null>(null)
  // An event without kinds of tickets has no column for them.
  const hasTickets = found.value?.attendees.some(({ tickets }) => tickets.length > 0) ?? false
  const columns = COLUMNS.filter(({ key }) => key !== 'tickets' || hasTickets)
  const isAdding = list.open === 'new'

  async function act(work: () => Promise<unknown>, done: string) {
    try {
      await work()
      showToast(done)
    } catch (failure) {
      showFailure(officerErrorMessage(failure))
    }
    reloadPageData()
  }

  /** The row may leave the list, and takes its menu along. */
  function actOn({ id: rsvpId }: Attendee, work: () => Promise<unknown>, done: string) {
    const ids = found.value?.attendees.map((one) => one.id) ?? []
    const at = ids.indexOf(rsvpId)
    moveFocus(() => findMenu([rsvpId, ...ids.slice(at + 1), ...ids.slice(0, at).toReversed()]))
    return act(work, done)
  }

  const cancel = (attendee: Attendee) =>
    actOn(
      attendee,
      () => callAsOfficer(removeRsvp, { params: { id, rsvpId: attendee.id } }),
      `The RSVP of ${attendee.name} is canceled.`,
    )
  const offer = (attendee: Attendee) =>
    actOn(
      attendee,
      () => callAsOfficer(offerSeat, { params: { id, rsvpId: attendee.id }, body: {} }),
      `${attendee.name} was offered a seat.`,
    )

  function actionsOf(attendee: Attendee) {
    const { status, memberId } = attendee
    return [
      ...(memberId === null ? [] : [{ label: 'Open member', to: `/console/members/${memberId}` }]),
      ...(status === 'waiting' ? [{ label: 'Offer a seat', onSelect: () => void offer(attendee) }] : []),
      ...(attendee.paid > 0
        ? [{ label: 'Refund under Payments', to: `/console/payments?q=${encodeURIComponent(attendee.name)}` }]
        : []),
      ...(status !== 'cancelled' && attendee.paid === 0
        ? [{ label: 'Cancel RSVP', onSelect: () => setCanceling(attendee) }]
        : []),
    ]
  }

  return (
    <EventPage
      id={id}
      tab="attendees"
      action={<Button onClick={() => list.change({ open: 'new' })}>Add attendee</Button>}
    >
      {(head) => (
        <>
          <PageTabs
            label="Attendees"
            tabs={ATTENDEE_STATES.map((one) => ({
              label: STATE_NAMES[one],
              to: `${eventUrls(id).attendees}${one === 'active' ? '' : `?state=${one}`}`,
              isCurrent: one === state,
              count: found.value?.counts[one],
            }))}
          />
          <ListTools
            list={list}
            searchLabel="Name or email"
            end={
              <>
                <ColumnChooser columns={columns} list={list} />
                <Button
                  variant="line"
                  size="small"
                  onClick={() =>
                    void act(
                      async () =>
                        downloadFile(
                          await callAsOfficer(exportAttendees, { params: { id }, query: choice }),
                          `attendees-${id}.csv`,
                        ),
                      'Exported what the list shows.',
                    )
                  }
                >
                  Export
                </Button>
              </>
            }
          />
          <ListStates
            loaded={found}
            list={{ ...list, isFiltered: list.query !== '' }}
            what="attendees"
            isEmpty={({ attendees }) => attendees.length === 0}
            empty={
              <Empty title={state === 'active' ? 'No RSVPs yet.' : `No one here.`}>
                {head.value?.hasSettings === false && 'Set up RSVPs first.'}
              </Empty>
            }
          >
            {({ attendees, total }) => (
              <>
                <DataTable
                  caption={`${STATE_NAMES[state]} attendees`}
                  rows={attendees}
                  rowId={(one) => one.id}
                  name={NAME}
                  columns={columns}
                  list={list}
                  summary={summaryOf}
                  actions={actionsOf}
                />
                <ListPager list={list} total={total} />
              </>
            )}
          </ListStates>
          <Dialog
            open={canceling !== null}
            onClose={() => setCanceling(null)}
            title={`Cancel the RSVP of ${canceling?.name ?? ''}?`}
            width="30rem"
          >
            {canceling && (
              <>
                <p>
                  {canceling.guests + 1} {canceling.guests === 0 ? 'seat is' : 'seats are'} released and offered to the
                  waitlist{canceling.email === null ? '.' : `, and ${canceling.email} is emailed.`}
                </p>
                <div className="buttons">
                  <Button
                    variant="danger"
                    onClick={() => {
                      setCanceling(null)
                      void cancel(canceling)
                    }}
                  >
                    Cancel RSVP
                  </Button>
                  <Button variant="line" onClick={() => setCanceling(null)}>
                    Keep RSVP
                  </Button>
                </div>
              </>
            )}
          </Dialog>
          <Drawer open={isAdding} onClose={() => list.change({ open: null })} title="Add attendee">
            <AttendeeForm
              eventId={id}
              onAdded={(message) => {
                list.change({ open: null })
                showToast(message)
                reloadPageData()
              }}
            />
          </Drawer>
        </>
      )}
    </EventPage>
  )
}

/** The menu of the first of these that are still listed and have one; without any, the search. */
function findMenu(ids: readonly string[]): HTMLElement | null {
  const menus = ids.map((id) => document.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] .row-menu`))
  return menus.find((menu) => menu !== null) ?? document.querySelector<HTMLElement>('.list-tools [role="search"] input')
}

function summaryOf({ email, guests, paid, isWalkIn }: Attendee): string {
  const company = guests === 0 ? '' : `+ ${guests}`
  return [email ?? (isWalkIn ? 'Walk-in' : ''), company, paid > 0 && formatMoney(paid, region().currency)]
    .filter(Boolean)
    .join(' · ')
}

function paidText({ paid, due }: Attendee): string {
  if (due) return `${formatMoney(due.amount, region().currency)} by ${formatDeadline(due.by)}`
  return paid > 0 ? formatMoney(paid, region().currency) : ''
}

import { useState } from 'react'
import {
  exportSubscribers,
  inviteSubscriber,
  listSubscribers,
  sourceName,
  SUBSCRIBER_STATES,
  unsubscribeByOfficer,
  type ListedSubscriber,
} from '#contract/console/subscribers.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { DataTable, type Column } from '../list/data-table.tsx'
import { ListPager } from '../list/list-pager.tsx'
import { ListStates } from '../list/list-states.tsx'
import { ListTools } from '../list/list-tools.tsx'
import { useList } from '../list/use-list.ts'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { ConsolePage } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { Drawer } from '../ui/drawer.tsx'
import { Empty } from '../ui/empty.tsx'
import { PageTabs } from '../ui/page-tabs.tsx'
import { showFailure, showToast } from '../ui/toasts.tsx'
import { SubscriberImport } from './subscriber-import.tsx'

const NAMES = {
  subscribed: 'Subscribed',
  pending: 'Invited',
  left: 'Unsubscribed',
  bounced: 'Bounced',
  complained: 'Marked as spam',
} as const

const NAME = {
  label: 'Email',
  text: ({ email }: ListedSubscriber) => email,
  cell: ({ email }: ListedSubscriber) => <b>{email}</b>,
}

const COLUMNS: Column<ListedSubscriber>[] = [
  { key: 'consent', label: 'Opted in', priority: 2, cell: consentText },
  {
    key: 'source',
    label: 'Source',
    priority: 3,
    cell: ({ source, imported }) => imported?.consentSource ?? sourceName(source),
  },
  {
    key: 'left',
    label: 'Left on',
    priority: 3,
    cell: ({ leftAt }) => (leftAt === null ? '' : formatLongDate(leftAt)),
  },
]

/** Newsletter subscribers, with the source and date of their consent. */
export default function SubscribersPage() {
  const list = useList({ name: 'subscribers', filters: ['state'], columns: COLUMNS.map(({ key }) => key) })
  const state = SUBSCRIBER_STATES.find((one) => one === list.filters['state']?.[0]) ?? 'subscribed'
  const choice = { state, q: list.query || undefined }
  const found = useLoaded(listSubscribers, {
    query: { ...choice, page: String(list.page), size: String(list.size) },
  })
  const [unsubscribing, setUnsubscribing] = useState<ListedSubscriber | null>(null)
  const [isExporting, setExporting] = useState(false)
  const close = () => list.change({ open: null })

  async function unsubscribe({ id, email }: ListedSubscriber) {
    setUnsubscribing(null)
    try {
      await callAsOfficer(unsubscribeByOfficer, { params: { id }, body: {} })
      showToast(`${email} was unsubscribed.`)
    } catch (failure) {
      showFailure(officerErrorMessage(failure))
    }
    found.reload()
  }

  async function saveFile() {
    setExporting(true)
    try {
      downloadFile(await callAsOfficer(exportSubscribers, { query: choice }), `subscribers-${state}.csv`)
      showToast('Exported what the list shows, on all pages.')
    } catch (failure) {
      showFailure(officerErrorMessage(failure))
    }
    setExporting(false)
  }

  return (
    <ConsolePage
      title="Subscribers"
      lead="Everyone who gets the newsletter, and how they opted in."
      action={
        <div className="buttons">
          <Button variant="line" onClick={() => list.change({ open: 'import' })}>
            Import
          </Button>
          <Button onClick={() => list.change({ open: 'invite' })}>Invite</Button>
        </div>
      }
    >
      <PageTabs
        label="Subscriber status"
        tabs={SUBSCRIBER_STATES.map((one) => ({
          label: NAMES[one],
          to: one === 'subscribed' ? '/console/subscribers' : `/console/subscribers?state=${one}`,
          isCurrent: one === state,
          count: found.value?.counts[one],
        }))}
      />
      <ListTools
        list={list}
        searchLabel="Search addresses"
        end={
          <Button variant="line" size="small" busy={isExporting} busyLabel="Exporting" onClick={() => void saveFile()}>
            Export
          </Button>
        }
      />
      <ListStates
        loaded={found}
        list={{ ...list, isFiltered: list.query !== '' }}
        what="subscribers"
        isEmpty={({ subscribers }) => subscribers.length === 0}
        empty={<Empty title="No subscribers here." />}
      >
        {({ subscribers, total }) => (
          <>
            <DataTable
              caption={`${NAMES[state]} addresses, newest first`}
              rows={subscribers}
              rowId={({ id }) => id}
              name={NAME}
              columns={COLUMNS}
              list={list}
              summary={consentText}
              {...((state === 'subscribed' || state === 'pending') && {
                actions: (subscriber: ListedSubscriber) => [
                  { label: 'Unsubscribe', onSelect: () => setUnsubscribing(subscriber) },
                ],
              })}
            />
            <ListPager list={list} total={total} />
          </>
        )}
      </ListStates>
      <Drawer open={list.open === 'invite'} onClose={close} title="Invite to subscribe">
        <InviteForm />
      </Drawer>
      <Drawer open={list.open === 'import'} onClose={close} title="Import subscribers">
        <SubscriberImport
          onImported={() => {
            close()
            found.reload()
          }}
        />
      </Drawer>
      <Dialog
        open={unsubscribing !== null}
        onClose={() => setUnsubscribing(null)}
        title={`Unsubscribe ${unsubscribing?.email ?? ''}?`}
        width="30rem"
      >
        {unsubscribing && (
          <>
            <p>They stop receiving the newsletter, and we’ll email them about it. Only they can resubscribe.</p>
            <div className="buttons">
              <Button variant="danger" onClick={() => void unsubscribe(unsubscribing)}>
                Unsubscribe
              </Button>
              <Button variant="line" onClick={() => setUnsubscribing(null)}>
                Cancel
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </ConsolePage>
  )
}

/** As recorded: an import without a date says so. */
function consentText({ askedAt, confirmedAt, imported }: ListedSubscriber): string {
  const confirmed = confirmedAt ? `, confirmed ${formatLongDate(confirmedAt)}` : ''
  if (!imported) return `Requested ${formatLongDate(askedAt)}${confirmed}`
  const { at, consentOn } = imported
  const day = formatLongDate(at)
  return consentOn
    ? `${formatDay(consentOn)}, imported ${day}${confirmed}`
    : `Imported ${day}, no date stated${confirmed}`
}

const FIELDS = { email: 'Email' }

function InviteForm() {
  const [asked, setAsked] = useState('')
  const form = useDraftForm('ask-subscriber', {
    fields: FIELDS,
    errorMessage: officerErrorMessage,
    async send({ email }) {
      setAsked('')
      setAsked((await callAsOfficer(inviteSubscriber, { body: { email } })).email)
    },
  })
  return (
    <form {...form.props} className="flow">
      <DraftFormMessages form={form} />
      <div role="status">
        {asked && <Banner tone="good">We’ve emailed {asked}. They get the newsletter once they confirm.</Banner>}
      </div>
      <Field {...form.field('email')} type="email" autoComplete="off" hint="No one is added without confirming." />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Sending">
        Send invitation
      </Button>
    </form>
  )
}

import { useNavigate } from 'react-router'
import {
  createNewsletter,
  listNewsletters,
  NEWSLETTER_TABS,
  type NewsletterEntry,
  type NewsletterTab,
} from '#contract/console/newsletter.ts'
import { formatLongDate, formatMoment } from '#contract/dates/dates.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
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
import { Empty } from '../ui/empty.tsx'
import { PageTabs } from '../ui/page-tabs.tsx'
import { CAMPAIGN_STATE_BADGES } from '../campaigns/campaign-states.ts'

const TAB_NAMES: Record<NewsletterTab, string> = { all: 'All', drafts: 'Drafts', scheduled: 'Scheduled', sent: 'Sent' }

const result = (key: keyof NonNullable<NewsletterEntry['results']>, label: string, priority: 2 | 3) =>
  ({
    key,
    label,
    priority,
    isNumber: true,
    cell: ({ results }) => results?.[key].toLocaleString('en-US') ?? '',
  }) satisfies Column<NewsletterEntry>

/** No opens and clicks: the site promises its readers no tracking. */
const COLUMNS: Column<NewsletterEntry>[] = [
  { key: 'subject', label: 'Subject', priority: 2, cell: ({ subject }) => subject },
  {
    key: 'state',
    label: 'Status',
    staysFolded: true,
    cell: ({ state }) => <Badge tone={CAMPAIGN_STATE_BADGES[state][0]}>{CAMPAIGN_STATE_BADGES[state][1]}</Badge>,
  },
  { key: 'date', label: 'Date', priority: 2, cell: dateText },
  result('recipients', 'Recipients', 3),
  result('delivered', 'Delivered', 2),
  result('bounced', 'Bounced', 3),
  result('unsubscribed', 'Unsubscribed', 3),
]

/** Newsletters with their results. */
export default function NewslettersPage() {
  const list = useList({ name: 'newsletters', filters: ['tab', 'new'], columns: COLUMNS.map(({ key }) => key) })
  const tab = NEWSLETTER_TABS.find((one) => one === list.filters['tab']?.[0]) ?? 'all'
  const found = useLoaded(listNewsletters, {
    query: { tab, q: list.query || undefined, page: String(list.page), size: String(list.size) },
  })
  const { value } = found
  const create = () => list.change({ new: 'yes' })

  return (
    <ConsolePage
      title="Newsletters"
      action={
        <div className="buttons">
          <ButtonLink variant="line" to="/console/subscribers">
            {value ? `${value.subscribers.toLocaleString('en-US')} subscribers` : 'Subscribers'}
          </ButtonLink>
          <Button onClick={create}>New newsletter</Button>
        </div>
      }
    >
      <PageTabs
        label="Newsletters"
        tabs={NEWSLETTER_TABS.map((one) => ({
          label: TAB_NAMES[one],
          to: one === 'all' ? '/console/newsletter' : `/console/newsletter?tab=${one}`,
          isCurrent: one === tab,
          count: value?.counts[one],
        }))}
      />
      <ListTools list={list} searchLabel="Title or subject" />
      <ListStates
        loaded={found}
        list={{ ...list, isFiltered: list.query !== '' }}
        what="newsletters"
        isEmpty={({ newsletters }) => newsletters.length === 0}
        empty={
          <Empty title="No newsletters here." action={<Button onClick={create}>New newsletter</Button>}>
            Write one from blocks, and send it to everyone who subscribed.
          </Empty>
        }
      >
        {({ newsletters, total }) => (
          <>
            <DataTable
              caption={`${TAB_NAMES[tab]} newsletters`}
              rows={newsletters}
              rowId={({ id }) => id}
              name={{
                label: 'Title',
                text: ({ name }) => name,
                to: ({ id }) => `/console/newsletter/${encodeURIComponent(id)}`,
              }}
              columns={COLUMNS}
              list={list}
              summary={(entry) =>
                [dateText(entry), entry.results && `${entry.results.delivered.toLocaleString('en-US')} delivered`]
                  .filter(Boolean)
                  .join(' · ')
              }
            />
            <ListPager list={list} total={total} />
          </>
        )}
      </ListStates>
      <Dialog
        open={list.filters['new'] !== undefined}
        onClose={() => list.change({ new: null })}
        title="New newsletter"
        width="28rem"
      >
        <CreateForm />
      </Dialog>
    </ConsolePage>
  )
}

function dateText({ scheduledFor, sentAt, updatedAt }: NewsletterEntry): string {
  if (scheduledFor) return formatMoment(scheduledFor)
  return sentAt ? formatLongDate(sentAt) : `Changed ${formatMoment(updatedAt)}`
}

const FIELDS = { name: 'Title' }

function CreateForm() {
  const navigate = useNavigate()
  const form = useDraftForm('new-newsletter', {
    fields: FIELDS,
    errorMessage: officerErrorMessage,
    async send({ name }) {
      const { id } = await callAsOfficer(createNewsletter, { body: { name } })
      await navigate(`/console/newsletter/${id}`)
    },
  })
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <Field {...form.field('name')} autoComplete="off" hint="The email’s heading and its name in the archive." />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Creating">
        Create
      </Button>
    </form>
  )
}

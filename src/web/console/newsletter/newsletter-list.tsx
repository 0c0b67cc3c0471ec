import { useNavigate } from 'react-router'
import { createNewsletter, listNewsletters, NEWSLETTER_TABS, type NewsletterTab } from '#contract/console/newsletter.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { campaignColumns, campaignDate } from '../campaigns/campaign-columns.tsx'
import { DataTable } from '../list/data-table.tsx'
import { ListPager } from '../list/list-pager.tsx'
import { ListStates } from '../list/list-states.tsx'
import { ListTools } from '../list/list-tools.tsx'
import { useList } from '../list/use-list.ts'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { ConsolePage } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { Empty } from '../ui/empty.tsx'
import { PageTabs } from '../ui/page-tabs.tsx'

const TAB_NAMES: Record<NewsletterTab, string> = { all: 'All', drafts: 'Drafts', scheduled: 'Scheduled', sent: 'Sent' }

/** Newsletters with their results. */
export default function NewslettersPage() {
  const list = useList({ name: 'newsletters', filters: ['tab', 'new'], columns: campaignColumns.map(({ key }) => key) })
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
              columns={campaignColumns}
              list={list}
              summary={(entry) =>
                [campaignDate(entry), entry.results && `${entry.results.delivered.toLocaleString('en-US')} delivered`]
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

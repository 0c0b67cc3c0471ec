import { listEmailsToMembers } from '#contract/console/emails/member-emails.ts'
import { NEWSLETTER_TABS, type NewsletterEntry, type NewsletterTab } from '#contract/console/newsletter.ts'
import { Button } from '#web/ui/button.tsx'
import { campaignColumns, campaignDate } from '../campaigns/campaign-columns.tsx'
import { DataTable } from '../list/data-table.tsx'
import { ListPager } from '../list/list-pager.tsx'
import { ListStates } from '../list/list-states.tsx'
import { ListTools } from '../list/list-tools.tsx'
import { useList } from '../list/use-list.ts'
import { ConsolePage } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { Empty } from '../ui/empty.tsx'
import { PageTabs } from '../ui/page-tabs.tsx'
import { NewMemberEmail } from './new-member-email.tsx'

const TAB_NAMES: Record<NewsletterTab, string> = { all: 'All', drafts: 'Drafts', scheduled: 'Scheduled', sent: 'Sent' }
/** People unsubscribe from a topic, not from one email. */
const COLUMNS = campaignColumns.filter(({ key }) => key !== 'unsubscribed')
const PATH = '/console/member-emails'

/** Emails to members with their results. */
export default function MemberEmailsPage() {
  const list = useList({ name: 'member-emails', filters: ['tab', 'new'], columns: COLUMNS.map(({ key }) => key) })
  const tab = NEWSLETTER_TABS.find((one) => one === list.filters['tab']?.[0]) ?? 'all'
  const found = useLoaded(listEmailsToMembers, {
    query: { tab, q: list.query || undefined, page: String(list.page), size: String(list.size) },
  })
  const { value } = found
  const create = () => list.change({ new: 'yes' })
  return (
    <ConsolePage title="Emails to members" action={<Button onClick={create}>New email</Button>}>
      <PageTabs
        label="Emails to members"
        tabs={NEWSLETTER_TABS.map((one) => ({
          label: TAB_NAMES[one],
          to: one === 'all' ? PATH : `${PATH}?tab=${one}`,
          isCurrent: one === tab,
          count: value?.counts[one],
        }))}
      />
      <ListTools list={list} searchLabel="Title or subject" />
      <ListStates
        loaded={found}
        list={{ ...list, isFiltered: list.query !== '' }}
        what="emails to members"
        isEmpty={({ emails }) => emails.length === 0}
        empty={
          <Empty title="No emails here." action={<Button onClick={create}>New email</Button>}>
            Write a notice, news or an invitation, and send it to members by any view of their list.
          </Empty>
        }
      >
        {({ emails, total }) => (
          <>
            <DataTable<NewsletterEntry>
              caption={`${TAB_NAMES[tab]} emails to members`}
              rows={emails}
              rowId={({ id }) => id}
              name={{ label: 'Title', text: ({ name }) => name, to: ({ id }) => `${PATH}/${encodeURIComponent(id)}` }}
              columns={COLUMNS}
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
      <NewMemberEmail open={list.filters['new'] !== undefined} onClose={() => list.change({ new: null })} />
    </ConsolePage>
  )
}

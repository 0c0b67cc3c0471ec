import { listEmailWordings, type EmailWordingLine } from '#contract/console/emails/email-wordings.ts'
import { Badge } from '#web/ui/badge.tsx'
import { DataTable, type Column } from '../list/data-table.tsx'
import { ListStates } from '../list/list-states.tsx'
import { ListTools } from '../list/list-tools.tsx'
import { useList } from '../list/use-list.ts'
import { ConsolePage } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { PageTabs } from '../ui/page-tabs.tsx'
import { Empty } from '../ui/empty.tsx'

const COLUMNS: Column<EmailWordingLine>[] = [
  { key: 'subject', label: 'Subject', priority: 2, cell: ({ subject }) => subject },
  { key: 'state', label: 'Texts', staysFolded: true, cell: (email) => <WordingState email={email} /> },
]

/** Every automatic email whose wording officers may change. */
export default function EmailTextsPage() {
  const list = useList({ name: 'email-texts', filters: ['changed'], columns: COLUMNS.map(({ key }) => key) })
  const onlyChanged = list.filters['changed'] !== undefined
  const found = useLoaded(listEmailWordings)
  const search = list.query.toLowerCase()
  const shown = found.value?.emails.filter(
    (email) =>
      `${email.name} ${email.subject}`.toLowerCase().includes(search) &&
      (!onlyChanged || email.changed + email.unused > 0),
  )
  return (
    <ConsolePage
      title="Email texts"
      lead="The wording of the emails that the site sends by itself. Links, codes, amounts and notes about security always stay."
    >
      <PageTabs
        label="Email texts"
        tabs={[
          { label: 'All', to: '/console/email-texts', isCurrent: !onlyChanged, count: found.value?.emails.length },
          {
            label: 'Changed',
            to: '/console/email-texts?changed=yes',
            isCurrent: onlyChanged,
            count: found.value?.emails.filter(({ changed, unused }) => changed + unused > 0).length,
          },
        ]}
      />
      <ListTools list={list} searchLabel="Name or subject" />
      <ListStates
        loaded={found}
        list={{ ...list, isFiltered: list.query !== '' }}
        what="emails"
        isEmpty={() => shown?.length === 0}
        empty={<Empty title="No changed texts.">Every email has its original wording.</Empty>}
      >
        {() => (
          <DataTable
            caption="Automatic emails"
            rows={shown ?? []}
            rowId={({ id }) => id}
            name={{ label: 'Email', text: ({ name }) => name, to: ({ id }) => `/console/email-texts/${id}` }}
            columns={COLUMNS}
            list={list}
            summary={({ subject }) => subject}
          />
        )}
      </ListStates>
    </ConsolePage>
  )
}

function WordingState({ email: { changed, unused } }: { email: EmailWordingLine }) {
  if (unused > 0) return <Badge tone="warn">{unused} to review</Badge>
  if (changed > 0) return <Badge tone="ok">{changed === 1 ? '1 text changed' : `${changed} texts changed`}</Badge>
  return <Badge tone="quiet">Original</Badge>
}

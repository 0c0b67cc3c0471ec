import { dateFormat } from '#contract/formatters.ts'
import { region } from '#contract/region.ts'
import {
  CONTENT_STATES,
  listAllContent,
  listContentKinds,
  NEW_RECORD,
  type ListedContent,
} from '#contract/console/content.ts'
import { Dropdown } from '#web/ui/overlays/dropdown.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { DataTable, type Column } from '../list/data-table.tsx'
import { FilterChips } from '../list/filter-chips.tsx'
import { ListPager } from '../list/list-pager.tsx'
import { ListStates } from '../list/list-states.tsx'
import { ListTools } from '../list/list-tools.tsx'
import { useList } from '../list/use-list.ts'
import { ConsolePage } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { ICONS } from '../ui/console-icons.ts'
import { Empty } from '../ui/empty.tsx'
import { PageTabs } from '../ui/page-tabs.tsx'
import { ContentStateBadge, CONTENT_STATE_NAMES } from './content-state-badge.tsx'
import { consoleContentUrl } from './content-url.ts'

const SECTIONS = ['Pages', 'News and events', 'People', 'Text', 'Support']

const COLUMNS: Column<ListedContent>[] = [
  {
    key: 'state',
    label: 'Status',
    staysFolded: true,
    cell: ({ state }) => state && <ContentStateBadge state={state} />,
  },
  { key: 'what', label: 'Kind', priority: 2, cell: ({ what }) => capitalize(what) },
  { key: 'changed', label: 'Last changed', cell: ({ changedAt }) => changedAt && shortMoment(changedAt) },
  { key: 'by', label: 'By', priority: 2, cell: ({ changedBy }) => changedBy },
  {
    key: 'detail',
    label: 'Address or date',
    priority: 3,
    cell: ({ path, detail, publishWords }) => publishWords ?? path ?? detail,
  },
]

/** Everything that officers write, with its state and last change. */
export default function ContentPage() {
  const list = useList({ name: 'content', filters: ['state', 'section'], columns: COLUMNS.map(({ key }) => key) })
  const { query, page, size, filters, sort } = list
  const state = CONTENT_STATES.find((one) => one === filters['state']?.[0])
  const section = filters['section']?.[0]
  const loaded = useLoaded(listAllContent, {
    query: {
      q: query || undefined,
      state,
      section,
      sort: sort === 'title' ? 'title' : undefined,
      page: page > 1 ? String(page) : undefined,
      size: size === 25 ? undefined : (String(size) as '50' | '100'),
    },
  })
  const counts = loaded.value?.counts
  const tab = (one: string | null) => {
    const params = new URLSearchParams()
    if (section !== undefined) params.set('section', section)
    if (one !== null) params.set('state', one)
    return `/console/content${params.size > 0 ? `?${params}` : ''}`
  }

  return (
    <ConsolePage title="Pages & content" action={<NewMenu />}>
      <PageTabs
        label="Status"
        tabs={[
          { label: 'All', to: tab(null), isCurrent: state === undefined },
          ...(['draft', 'changed', 'scheduled', 'deleted'] as const).map((one) => ({
            label: CONTENT_STATE_NAMES[one],
            to: tab(one),
            isCurrent: state === one,
            count: counts?.[one],
          })),
        ]}
      />
      <ListTools list={list} searchLabel="Title, kind or address">
        <FilterChips
          list={list}
          filters={[
            {
              name: 'section',
              label: 'Part of the site',
              isSingle: true,
              options: SECTIONS.map((one) => ({ value: one, label: one })),
            },
          ]}
        />
      </ListTools>
      <ListStates
        loaded={loaded}
        list={list}
        what="records"
        isEmpty={({ records }) => records.length === 0}
        empty={<Empty title="Nothing here yet" />}
      >
        {({ records, total }) => (
          <>
            <DataTable
              caption={`Pages and content, sorted by ${sort === 'title' ? 'title' : 'last change'}`}
              rows={records}
              rowId={({ kind, id }) => `${kind}/${id}`}
              name={{
                label: 'Title',
                sort: 'title',
                text: ({ title }) => title,
                to: ({ kind, id }) => consoleContentUrl(kind, id),
              }}
              columns={COLUMNS}
              list={list}
              summary={({ what, changedBy }) => [capitalize(what), changedBy].filter(Boolean).join(' · ')}
            />
            <ListPager list={list} total={total} />
          </>
        )}
      </ListStates>
    </ConsolePage>
  )
}

function NewMenu() {
  const { value } = useLoaded(listContentKinds)
  const kinds = (value?.kinds ?? []).filter(({ canAdd }) => canAdd)
  if (kinds.length === 0) return null
  return (
    <Dropdown
      buttonClass="button small"
      end
      items={kinds.map(({ kind, one }) => ({ label: capitalize(one), to: consoleContentUrl(kind, NEW_RECORD) }))}
    >
      <Icon d={ICONS.plus} />
      New
    </Dropdown>
  )
}

/** 'Nov 25, 9:40 PM', with the year unless it is this one. */
function shortMoment(at: string): string {
  const [date, now] = [new Date(at), new Date()]
  const isThisYear = date.getFullYear() === now.getFullYear()
  return dateFormat({
    month: 'short',
    day: 'numeric',
    ...(!isThisYear && { year: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
    timeZone: region().timeZone,
  }).format(date)
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

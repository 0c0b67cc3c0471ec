import * as z from 'zod/mini'
import {
  AUDIT_KIND_NAMES,
  AUDIT_KINDS,
  auditFilter,
  exportAudit,
  listAudit,
  type AuditFilter,
} from '#contract/console/audit.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { Button } from '#web/ui/button.tsx'
import { DayFilter } from '../forms/filter-fields.tsx'
import { FilterChips } from '../list/filter-chips.tsx'
import { ListStates } from '../list/list-states.tsx'
import { ListTools } from '../list/list-tools.tsx'
import { useList, type ListState } from '../list/use-list.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage } from '../shell/console-page.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { AuditTable } from './audit-table.tsx'

const FILTERS = ['person', 'kind', 'from', 'to']

/** The audit log in sentences: searched, filtered by person, kind and day, and exported. The filters are in the address. */
export default function AuditLogPage() {
  const list = useList({ name: 'audit', filters: FILTERS, columns: [] })
  const query = readQuery(list)
  const found = useLoaded(listAudit, { query })
  const action = useAction()

  async function loadMore() {
    const { value } = found
    if (!value) return
    const next = await callAsOfficer(listAudit, { query: { ...query, before: value.entries.at(-1)?.id } })
    found.setValue({ ...next, entries: [...value.entries, ...next.entries] })
  }

  const people = (found.value?.people ?? []).map(({ id, name }) => ({ value: id, label: name }))
  if (query.person && !people.some(({ value }) => value === query.person)) {
    people.push({ value: query.person, label: 'The chosen member' })
  }
  return (
    <ConsolePage
      title="Audit log"
      lead="Everything that officers, the site, the card provider and the webmaster did. Entries cannot be changed or deleted."
      action={
        <Button
          variant="line"
          busy={action.busy === 'export'}
          busyLabel="Exporting"
          onClick={() =>
            void action.run(
              'export',
              async () => downloadFile(await callAsOfficer(exportAudit, { query }), 'audit-log.csv'),
              'The file contains personal data. Keep it safe, and delete it after use.',
            )
          }
        >
          Export
        </Button>
      }
    >
      <ActionMessages action={action} />
      <ListTools list={list} searchLabel="Search people, actions and details">
        <FilterChips
          list={list}
          filters={[
            { name: 'person', label: 'Person', isSingle: true, options: people },
            {
              name: 'kind',
              label: 'Kind',
              isSingle: true,
              options: AUDIT_KINDS.map((kind) => ({ value: kind, label: AUDIT_KIND_NAMES[kind] })),
            },
          ]}
        />
        <div className="filters">
          <DayFilter label="From" name="from" value={query.from} onChange={list.change} />
          <DayFilter label="To" name="to" value={query.to} onChange={list.change} />
        </div>
      </ListTools>
      <ListStates
        loaded={found}
        list={list}
        what="entries"
        isEmpty={({ entries }) => entries.length === 0}
        empty={<p className="card">Nothing has been done yet.</p>}
      >
        {({ entries, hasMore }) => (
          <>
            <AuditTable entries={entries} list={list} />
            {hasMore && (
              <Button
                variant="line"
                busy={action.busy === 'more'}
                busyLabel="Loading more"
                onClick={() => void action.run('more', loadMore)}
              >
                Show more
              </Button>
            )}
          </>
        )}
      </ListStates>
    </ConsolePage>
  )
}

/** The filters of the address; what is invalid is left out, so that old links still work. */
function readQuery({ query, filters }: ListState): AuditFilter {
  const asked: Record<string, string> = { ...(query && { q: query }) }
  for (const [name, values] of Object.entries(filters)) asked[name] = values.join(',')
  const valid: Record<string, string> = {}
  for (const [name, value] of Object.entries(asked)) {
    if (z.safeParse(auditFilter, { [name]: value }).success) valid[name] = value
  }
  const read = z.safeParse(auditFilter, valid)
  return read.success ? read.data : {}
}

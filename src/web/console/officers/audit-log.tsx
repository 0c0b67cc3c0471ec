import { useSearchParams } from 'react-router'
import * as z from 'zod/mini'
import { AUDIT_KIND_NAMES, auditFilter, exportAudit, listAudit, type AuditFilter } from '#contract/console/audit.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { AuditEntries } from './audit-entries.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { DayFilter, SelectFilter } from '../forms/filter-fields.tsx'
import { downloadFile } from '#web/shared/download-file.ts'
import { SearchField } from '../forms/search-field.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { Button } from '#web/ui/button.tsx'

/** The audit log: searchable, filterable and exportable. The filters are kept in the URL. */
export default function AuditLogPage() {
  const [params, setParams] = useSearchParams()
  const query = readQuery(params)
  const found = useLoaded(listAudit, { query })
  const action = useAction()

  function change(wanted: Record<string, string | null>) {
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(wanted)) {
          if (value) next.set(name, value)
          else next.delete(name)
        }
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  }

  async function loadMore() {
    const { value } = found
    if (!value) return
    const next = await callAsOfficer(listAudit, { query: { ...query, before: value.entries.at(-1)?.id } })
    found.setValue({ ...next, entries: [...value.entries, ...next.entries] })
  }

  const people = Object.fromEntries((found.value?.people ?? []).map(({ id, name }) => [id, name]))
  if (query.person && !(query.person in people)) people[query.person] = 'The chosen member'
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
      <SearchField
        label="Search people, actions and details"
        initial={query.q ?? ''}
        onSearch={(q) => q !== (query.q ?? '') && change({ q })}
      />
      <div className="filters">
        <SelectFilter label="Person" name="person" value={query.person} options={people} onChange={change} />
        <SelectFilter label="Kind" name="kind" value={query.kind} options={AUDIT_KIND_NAMES} onChange={change} />
        <DayFilter label="From" name="from" value={query.from} onChange={change} />
        <DayFilter label="To" name="to" value={query.to} onChange={change} />
      </div>
      <WhenLoaded loaded={found} what="the audit log">
        {({ entries, hasMore }) => (
          <>
            {entries.length === 0 && <EmptyResult onClear={() => setParams({}, { replace: true })} query={query} />}
            <AuditEntries entries={entries} />
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
      </WhenLoaded>
    </ConsolePage>
  )
}

function EmptyResult({ query, onClear }: { query: AuditFilter; onClear(): void }) {
  return (
    <div className="card">
      <p>No entries match these filters.</p>
      {Object.keys(query).length > 0 && (
        <Button variant="line" size="small" onClick={onClear}>
          Show all entries
        </Button>
      )}
    </div>
  )
}

/** Reads the filters from the URL; ignores invalid ones, so that old links still work. */
function readQuery(params: URLSearchParams): AuditFilter {
  const query: Record<string, string> = {}
  for (const [name, value] of params) {
    if (value !== '' && z.safeParse(auditFilter, { [name]: value }).success) query[name] = value
  }
  const read = z.safeParse(auditFilter, query)
  return read.success ? read.data : {}
}

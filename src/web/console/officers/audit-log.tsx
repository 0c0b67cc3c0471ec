import { useSearchParams } from 'react-router'
import * as z from 'zod/mini'
import { AUDIT_KIND_NAMES, auditFilter, exportAudit, listAudit, type AuditFilter } from '#contract/console-audit.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { AuditEntries } from '#web/features/console/audit-entries.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { DayFilter, SelectFilter } from '#web/features/console/filter-fields.tsx'
import { saveFile } from '#web/features/console/save-file.ts'
import { SearchField } from '#web/features/console/search-field.tsx'
import { useAction } from '#web/features/console/use-action.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { Button } from '#web/ui/button.tsx'

/** Who did what, as sentences: searched, filtered and exported, never changed. The filters stay in the address. */
export default function HistoryPage() {
  const [params, setParams] = useSearchParams()
  const query = readQuery(params)
  const found = useLoaded(JSON.stringify(query), () => callAsOfficer(listAudit, { query }))
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
          busyLabel="Making the file"
          onClick={() =>
            void action.run(
              'export',
              async () => saveFile(await callAsOfficer(exportAudit, { query }), 'audit-log.csv'),
              'The file names people: keep it safe, and delete it after use.',
            )
          }
        >
          Save as CSV
        </Button>
      }
    >
      <ActionMessages action={action} />
      <SearchField
        label="Search people, actions and details"
        initial={query.q ?? ''}
        onSearch={(words) => words !== (query.q ?? '') && change({ q: words })}
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
            {entries.length === 0 && <NothingFound onClear={() => setParams({}, { replace: true })} query={query} />}
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

function NothingFound({ query, onClear }: { query: AuditFilter; onClear(): void }) {
  return (
    <div className="sheet">
      <p>No entry matches.</p>
      {Object.keys(query).length > 0 && (
        <Button variant="line" size="small" onClick={onClear}>
          Show all entries
        </Button>
      )}
    </div>
  )
}

/** The filters of an address; what cannot be read is left out, so that an old link still opens. */
function readQuery(params: URLSearchParams): AuditFilter {
  const query: Record<string, string> = {}
  for (const [name, value] of params) {
    if (value !== '' && z.safeParse(auditFilter, { [name]: value }).success) query[name] = value
  }
  const read = z.safeParse(auditFilter, query)
  return read.success ? read.data : {}
}

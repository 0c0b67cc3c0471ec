import { Fragment } from 'react'
import { useSearchParams } from 'react-router'
import { exportMembers, listMembers, MEMBERS_PER_PAGE } from '#contract/console/member-list.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { downloadFile } from '#web/shared/download-file.ts'
import { SearchField } from '../forms/search-field.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { withParams, readFilters, readColumns, readPage } from './member-list-params.rules.ts'
import { MemberFilters } from './member-filters.tsx'
import { MemberTable } from './member-table.tsx'
import { MemberViews } from './member/member-views.tsx'
import { Pager, pageRangeText } from './pager.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'

/** The list of members. Its filters are kept in the URL. */
export default function MembersPage() {
  const [params, setParams] = useSearchParams()
  const choice = readFilters(params)
  const page = readPage(params)
  const columns = readColumns(params)
  const found = useLoaded(listMembers, { query: { ...choice, page: String(page) } })
  const action = useAction()

  function change(wanted: Record<string, string | null>) {
    setParams((before) => withParams(before, wanted), { replace: true, preventScrollReset: true })
  }

  const levels = found.value?.levels ?? []
  const whole = new URLSearchParams(withParams(params, {}))
  return (
    <ConsolePage
      title="Members"

      action={
        found.value?.mayExport && (
          <div className="buttons">
            <ButtonLink to="/console/members/new">Add member</ButtonLink>
            <ButtonLink variant="line" to="/console/member-imports">
              Import
            </ButtonLink>
            <Button
              variant="line"
              busy={action.busy !== null}
              busyLabel="Exporting"
              onClick={() =>
                void action.run(
                  'export',
                  async () => downloadFile(await callAsOfficer(exportMembers, { query: choice }), 'members.csv'),
                  'The file contains personal data. Keep it safe, and delete it after use.',
                )
              }
            >
              Export
            </Button>
          </div>
        )
      }
    >
      <ActionMessages action={action} />
      <SearchField
        label="Search by name, email or username"
        initial={choice.q ?? ''}
        onSearch={(q) => q !== (choice.q ?? '') && change({ q })}
      />
      <MemberFilters choice={choice} columns={columns} levels={levels} onChange={change} />
      <MemberViews query={String(whole)} />
      <WhenLoaded loaded={found} what="the members">
        {({ members, total, suggestions }) => (
          <div aria-busy={found.isLoading}>
            <p role="status" className="soft">
              {pageRangeText({ page, size: MEMBERS_PER_PAGE, total })}
            </p>
            {total === 0 ? (
              <div className="card">
                <p>No members match these filters.</p>
                {suggestions.length > 0 && (
                  <p>
                    Did you mean{' '}
                    {suggestions.map(({ id, firstName, lastName }, index) => (
                      <Fragment key={id}>
                        {index > 0 && ' · '}
                        <Link to={`/console/members/${id}`}>
                          {lastName}, {firstName}
                        </Link>
                      </Fragment>
                    ))}
                    ?
                  </p>
                )}
                {String(whole) !== '' && (
                  <Button variant="line" size="small" onClick={() => setParams({}, { replace: true })}>
                    Clear filters
                  </Button>
                )}
              </div>
            ) : (
              <MemberTable members={members} columns={columns} levels={levels} choice={choice} onChange={change} />
            )}
            <Pager
              page={page}
              size={MEMBERS_PER_PAGE}
              total={total}
              onPage={(next) => {
                change({ page: String(next) })
                scrollTo({ top: 0 })
              }}
            />
          </div>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

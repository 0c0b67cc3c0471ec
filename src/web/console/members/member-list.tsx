import { Fragment } from 'react'
import { useSearchParams } from 'react-router'
import { exportMembers, listMembers, MEMBERS_A_PAGE } from '#contract/console-members.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { saveFile } from '#web/features/console/save-file.ts'
import { SearchField } from '#web/features/console/search-field.tsx'
import { useAction } from '#web/features/console/use-action.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { changed, readChoice, readColumns, readPage } from '#web/features/members/member-choice.rules.ts'
import { MemberFilters } from '#web/features/members/member-filters.tsx'
import { MemberTable } from '#web/features/members/member-table.tsx'
import { MemberViews } from '#web/features/members/member-views.tsx'
import { Pager, pageWords } from '#web/features/members/pager.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'

/** Everybody, or those an officer is looking for; what was chosen stands in the address. */
export default function MembersPage() {
  const [params, setParams] = useSearchParams()
  const choice = readChoice(params)
  const page = readPage(params)
  const columns = readColumns(params)
  const key = JSON.stringify([choice, page])
  const found = useLoaded(key, () => callAsOfficer(listMembers, { query: { ...choice, page: String(page) } }))
  const action = useAction()

  function change(wanted: Record<string, string | null>) {
    setParams((before) => changed(before, wanted), { replace: true, preventScrollReset: true })
  }

  const levels = found.value?.levels ?? []
  const whole = new URLSearchParams(changed(params, {}))
  return (
    <ConsolePage
      title="Members"
      lead="Everybody with an account, whatever became of the membership."
      action={
        found.value?.mayExport && (
          <div className="buttons">
            <ButtonLink to="/console/members/new">Add a member</ButtonLink>
            <ButtonLink variant="line" to="/console/member-imports">
              Import a list
            </ButtonLink>
            <Button
              variant="line"
              busy={action.busy !== null}
              busyLabel="Making the file"
              onClick={() =>
                void action.run(
                  'export',
                  async () => saveFile(await callAsOfficer(exportMembers, { query: choice }), 'members.csv'),
                  'The file holds personal data: keep it safe, and delete it after use.',
                )
              }
            >
              Save as CSV
            </Button>
          </div>
        )
      }
    >
      <ActionMessages action={action} />
      <SearchField
        label="Search by name, email or username"
        initial={choice.q ?? ''}
        onSearch={(words) => words !== (choice.q ?? '') && change({ q: words })}
      />
      <MemberFilters choice={choice} columns={columns} levels={levels} onChange={change} />
      <MemberViews query={String(whole)} />
      <WhenLoaded loaded={found} what="the members">
        {({ members, total, suggestions }) => (
          <div aria-busy={found.isLoading}>
            <p role="status" className="soft">
              {pageWords({ page, size: MEMBERS_A_PAGE, total })}
            </p>
            {total === 0 ? (
              <div className="sheet">
                <p>Nobody fits this choice.</p>
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
                    Show everybody
                  </Button>
                )}
              </div>
            ) : (
              <MemberTable members={members} columns={columns} levels={levels} choice={choice} onChange={change} />
            )}
            <Pager
              page={page}
              size={MEMBERS_A_PAGE}
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

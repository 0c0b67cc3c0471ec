import { Fragment, useState } from 'react'
import * as z from 'zod/mini'
import {
  countMembers,
  CREDENTIAL_STATE_NAMES,
  CREDENTIAL_STATES,
  ENDING_DAYS,
  exportMembers,
  exportSelectedMembers,
  listMembers,
  MEMBER_RENEWAL_NAMES,
  MEMBER_RENEWALS,
  MEMBER_STATE_NAMES,
  MEMBER_STATES,
  memberListQuery,
  USUAL_MEMBER_VIEWS,
  type MemberListQuery,
} from '#contract/console/member-list.ts'
import { recordColumnId } from '#contract/console/people/record-columns.ts'
import type { RecordField } from '#contract/member-record/record-fields.ts'
import type { BulkAction } from '#contract/console/people/member-bulk.ts'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { ConsolePage } from '#web/console/shell/console-page.tsx'
import { NewMemberEmail } from '#web/console/member-emails/new-member-email.tsx'
import { useCurrentOfficer } from '#web/console/shell/current-officer.ts'
import { useAction } from '#web/console/shell/use-action.ts'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { DayFilter } from '#web/console/forms/filter-fields.tsx'
import { BulkBar } from '#web/console/list/bulk-bar.tsx'
import { ColumnChooser } from '#web/console/list/column-chooser.tsx'
import { DataTable } from '#web/console/list/data-table.tsx'
import { FilterChips, type Filter } from '#web/console/list/filter-chips.tsx'
import { ListPager } from '#web/console/list/list-pager.tsx'
import { ListStates } from '#web/console/list/list-states.tsx'
import { ListTools } from '#web/console/list/list-tools.tsx'
import { SaveViewButton, SavedViews, useSavedViews } from '#web/console/list/saved-views.tsx'
import { useList, type ListState } from '#web/console/list/use-list.ts'
import { useSelection } from '#web/console/list/use-selection.ts'
import { Empty } from '#web/console/ui/empty.tsx'
import { RowMenu } from '#web/console/ui/row-menu.tsx'
import { downloadFile } from '#web/shared/download-file.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import { RecordFilters } from './record-filters.tsx'
import { endText, FIRST_COLUMNS, levelOf, memberColumns } from './member-columns.tsx'

const FILTERS = ['status', 'level', 'ending', 'credentials', 'renewal', 'joinedFrom', 'joinedTo', 'record']
const PERSONAL = 'The file contains personal data. Keep it safe, and delete it after use.'

/** The list of members. Its search, filters, order, page and columns are in the address. */
export default function MembersPage() {
  const list = useList({ name: 'members', filters: FILTERS, columns: FIRST_COLUMNS })
  const choice = readChoice(list)
  const found = useLoaded(listMembers, {
    query: { ...choice, page: String(list.page), size: sizeOf(list), ...shownFields(list) },
  })
  const counts = useLoaded(countMembers, { query: withoutOrder(choice) })
  const views = useSavedViews('members')
  const action = useAction()
  const [bulk, setBulk] = useState<BulkAction | null>(null)
  const [isEmailing, setEmailing] = useState(false)
  const mayEmail = useCurrentOfficer()?.permissions.includes('members.email') ?? false
  const { value } = found
  const total = value?.total ?? 0
  const selection = useSelection(value?.members.map(({ id }) => id) ?? [], total, list.view)
  const levels = new Map((value?.levels ?? []).map(({ key, name }) => [key, name]))
  const columns = memberColumns(levels, {
    mayLookAtMoney: value?.mayLookAtMoney ?? false,
    fields: value?.fields ?? [],
  })
  const shown = columns.map(({ key }) => key).filter((key) => list.shownColumns.includes(key))

  const chosen = selection.isAll ? { filter: withoutOrder(choice) } : { ids: [...selection.ids] }

  const download = (isSelected: boolean) =>
    void action.run(
      'export',
      async () => {
        const shape = { columns: shown.join(','), ...orderOf(choice) }
        const file =
          isSelected && !selection.isAll
            ? callAsOfficer(exportSelectedMembers, { body: { ids: [...selection.ids], ...shape } })
            : callAsOfficer(exportMembers, { query: { ...choice, ...shape } })
        downloadFile(await file, 'members.csv')
      },
      PERSONAL,
    )

  return (
    <ConsolePage
      title="Members"
      action={
        value?.mayExport && (
          <div className="buttons">
            <ButtonLink variant="line" to="/console/member-imports">
              Import
            </ButtonLink>
            <Button variant="line" busy={action.busy !== null} busyLabel="Exporting" onClick={() => download(false)}>
              Export
            </Button>
            <ButtonLink to="/console/members/new">Add member</ButtonLink>
          </div>
        )
      }
    >
      <SavedViews name="members" list={list} usual={USUAL_MEMBER_VIEWS} counts={counts.value?.views} views={views} />
      <ActionMessages action={action} />
      <ListTools
        list={list}
        searchLabel="Name, email, username, receipt or license number"
        end={
          <>
            <ColumnChooser columns={columns} list={list} />
            <SaveViewButton name="members" list={list} views={views} />
          </>
        }
      >
        <FilterChips filters={filtersOf(value?.levels ?? [], counts.value)} list={list} />
        <MoreFilters list={list} fields={value?.fields ?? []} />
      </ListTools>
      <ListStates
        loaded={found}
        list={list}
        what="members"
        isEmpty={({ members }) => members.length === 0}
        empty={
          <Empty title="No members yet" action={<ButtonLink to="/console/member-imports">Import members</ButtonLink>}>
            Import a spreadsheet or share the join page. No one is emailed until you choose.
          </Empty>
        }
        hint={({ suggestions }) => suggestionsFor(suggestions)}
      >
        {({ members, mayExport }) => (
          <>
            <DataTable
              caption="Members"
              rows={members}
              rowId={({ id }) => id}
              name={{
                label: 'Name',
                sort: 'name',
                text: ({ lastName, firstName }) => `${lastName}, ${firstName}`,
                to: ({ id }) => `/console/members/${id}`,
              }}
              columns={columns}
              list={{ ...list, sort: list.sort ?? 'name' }}
              {...(mayExport && { selection })}
              summary={(member) => [levelOf(member, levels), endText(member)].filter((text) => text !== '–').join(', ')}
              actions={(member) => [
                { label: 'Open', to: `/console/members/${member.id}` },
                { label: 'Payments', to: `/console/members/${member.id}?tab=payments` },
                { label: 'Notes', to: `/console/members/${member.id}?show=notes` },
                ...(mayExport ? [{ label: 'Merge accounts', to: `/console/members/${member.id}/merge` }] : []),
              ]}
            />
            <ListPager list={list} total={total} />
          </>
        )}
      </ListStates>
      <BulkBar selection={selection} total={total}>
        <Button variant="line" size="small" onClick={() => setBulk('renewal-link')}>
          Send renewal link
        </Button>
        {mayEmail && (
          <Button variant="line" size="small" onClick={() => setEmailing(true)}>
            Email
          </Button>
        )}
        <Button variant="line" size="small" onClick={() => setBulk('note')}>
          Add note
        </Button>
        <Button variant="line" size="small" onClick={() => download(true)}>
          Export
        </Button>
        <RowMenu
          name="More actions for the selected members"
          items={[
            { label: 'Send password reset', onSelect: () => setBulk('password-reset') },
            { label: 'Grant complimentary term', onSelect: () => setBulk('complimentary') },
          ]}
        />
      </BulkBar>
      <NewMemberEmail open={isEmailing} audience={chosen} onClose={() => setEmailing(false)} />
      <BulkDialog
        action={bulk}
        selection={chosen}
        levels={value?.levels ?? []}
        onClose={() => setBulk(null)}
        onDone={() => {
          selection.clear()
          found.reload()
          counts.reload()
        }}
      />
    </ConsolePage>
  )
}

/** What the chips of every list of members do not offer: days, and the fields that the association defined. */
function MoreFilters({ list, fields }: { list: ListState; fields: readonly RecordField[] }) {
  const [from] = list.filters['joinedFrom'] ?? []
  const [to] = list.filters['joinedTo'] ?? []
  return (
    <details className="more-filters" open={(from ?? to ?? list.filters['record']) !== undefined}>
      <summary>More filters</summary>
      <div className="filters">
        <DayFilter label="Member since, from" name="joinedFrom" value={from} onChange={list.change} />
        <DayFilter label="Member since, to" name="joinedTo" value={to} onChange={list.change} />
      </div>
      <RecordFilters fields={fields} list={list} />
    </details>
  )
}

/** Similar names, when no one was found. */
function suggestionsFor(people: readonly { id: string; firstName: string; lastName: string }[]) {
  if (people.length === 0) return null
  return (
    <>
      Did you mean{' '}
      {people.map(({ id, firstName, lastName }, index) => (
        <Fragment key={id}>
          {index > 0 && ' · '}
          <Link to={`/console/members/${id}`}>
            {lastName}, {firstName}
          </Link>
        </Fragment>
      ))}
      ?
    </>
  )
}

type Counts = Record<'status' | 'level' | 'credentials' | 'renewal' | 'ending', Record<string, number>>

function filtersOf(levels: readonly { key: string; name: string }[], counts: Counts | null): Filter[] {
  const countOf = (name: keyof Counts, value: string) => (counts ? (counts[name][value] ?? 0) : undefined)
  const options = (name: keyof Counts, values: readonly (readonly [string, string])[]) =>
    values.map(([value, label]) => ({ value, label, count: countOf(name, value) }))
  return [
    {
      name: 'status',
      label: 'Status',
      options: options(
        'status',
        MEMBER_STATES.map((one) => [one, MEMBER_STATE_NAMES[one]]),
      ),
    },
    {
      name: 'level',
      label: 'Level',
      options: options(
        'level',
        levels.map(({ key, name }) => [key, name]),
      ),
    },
    {
      name: 'ending',
      label: 'Renews or ends',
      isSingle: true,
      options: options(
        'ending',
        ENDING_DAYS.map((days) => [days, `Within ${days} days`]),
      ),
    },
    {
      name: 'credentials',
      label: 'Credentials',
      options: options(
        'credentials',
        CREDENTIAL_STATES.map((one) => [one, CREDENTIAL_STATE_NAMES[one]]),
      ),
    },
    {
      name: 'renewal',
      label: 'Renewal',
      options: options(
        'renewal',
        MEMBER_RENEWALS.map((one) => [one, MEMBER_RENEWAL_NAMES[one]]),
      ),
    },
  ]
}

/** The list's address as the API takes it; what is invalid is left out, so that old links still work. */
function readChoice({ query, filters, sort, isDescending }: ListState): MemberListQuery {
  const asked: Record<string, string | undefined> = {
    q: query || undefined,
    order: sort ?? undefined,
    descending: isDescending ? 'yes' : undefined,
  }
  for (const [name, values] of Object.entries(filters)) asked[name] = values.join(',')
  const valid: Record<string, string> = {}
  for (const [name, value] of Object.entries(asked)) {
    if (value !== undefined && z.safeParse(memberListQuery, { [name]: value }).success) valid[name] = value
  }
  return z.parse(memberListQuery, valid)
}

function withoutOrder({ order: _order, descending: _descending, ...rest }: MemberListQuery): MemberListQuery {
  return rest
}

function orderOf({ order, descending }: MemberListQuery): Pick<MemberListQuery, 'order' | 'descending'> {
  return { ...(order && { order }), ...(descending && { descending }) }
}

/** The columns of the member record that the table shows. */
function shownFields({ shownColumns }: ListState): { fields?: string } {
  const fields = shownColumns.filter((key) => z.safeParse(recordColumnId, key).success)
  return fields.length > 0 ? { fields: fields.join(',') } : {}
}

function sizeOf({ size }: ListState): '25' | '50' | '100' {
  return size === 100 ? '100' : size === 50 ? '50' : '25'
}

import { useState } from 'react'
import { permissionsOf, ROLE_NAMES, ROLE_PURPOSES, ROLES, type Permission, type Role } from '#contract/access.ts'
import { endRole, listOfficers, type HeldItem, type OfficerTerm, type OfficerTerms } from '#contract/console/console.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { DataTable, type Column } from '../list/data-table.tsx'
import { useList } from '../list/use-list.ts'
import { Drawer } from '../ui/drawer.tsx'
import { TableScroll } from '../ui/table-scroll.tsx'
import { Panel } from '../ui/panel.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Link } from '#web/ui/link.tsx'
import { AssignRoleForm } from './assign-role-form.tsx'

const STATES = { now: ['ok', 'Active'], later: ['quiet', 'Starts later'], over: ['quiet', 'Ended'] } as const

/** Officers' roles and terms. */
export default function OfficersPage() {
  const officers = useLoaded(listOfficers)
  const action = useAction()
  const list = useList({ name: 'officers', filters: [], columns: COLUMNS.map(({ key }) => key) })
  const isAssigning = list.open === 'assign'
  const [ending, setEnding] = useState<OfficerTerm | null>(null)
  const [held, setHeld] = useState<HeldItem[]>([])

  async function end(term: OfficerTerm) {
    setEnding(null)
    await action.run(
      term.id,
      async () => {
        const { held: stopped, ...terms } = await callAsOfficer(endRole, { params: { id: term.id } })
        officers.setValue(terms)
        setHeld(stopped)
      },
      `${term.name} is no longer ${ROLE_NAMES[term.role].toLowerCase()}.`,
    )
  }

  return (
    <ConsolePage
      title="Officers & roles"
      lead={officers.value && <TermLead {...officers.value} />}
      action={
        <div className="buttons">
          <ButtonLink variant="line" to="/console/approvals">
            Requests
          </ButtonLink>
          {officers.value?.mayChange && <Button onClick={() => list.change({ open: 'assign' })}>Assign role</Button>}
        </div>
      }
    >
      <ActionMessages action={action} />
      {held.length > 0 && (
        <Banner tone="warn" title="Scheduled items on hold" role="status">
          <p>These won’t go out until another officer publishes, sends or schedules them:</p>
          <ul>
            {held.map(({ title, path, at }) => (
              <li key={path}>
                <Link to={path}>{title}</Link>, scheduled for {formatMoment(at)}
              </li>
            ))}
          </ul>
        </Banner>
      )}
      <WhenLoaded loaded={officers} what="the officers">
        {({ terms, mayChange }) => (
          <DataTable
            caption="Officers, those whose role ends last first"
            rows={terms}
            rowId={({ id }) => id}
            name={{ label: 'Name', text: ({ name }) => name, to: ({ accountId }) => `/console/members/${accountId}` }}
            columns={COLUMNS}
            list={list}
            summary={({ role, email }) => `${ROLE_NAMES[role]}, ${email}`}
            actions={(term) =>
              mayChange && term.state !== 'over' && !term.isLastManager
                ? [{ label: `Remove role ${ROLE_NAMES[term.role]}`, onSelect: () => setEnding(term) }]
                : []
            }
          />
        )}
      </WhenLoaded>
      <RoleTable />
      <Drawer open={isAssigning} onClose={() => list.change({ open: null })} title="Assign role">
        {isAssigning && officers.value && (
          <AssignRoleForm
            year={officers.value.year}
            onAssigned={(terms, name) => {
              officers.setValue(terms)
              list.change({ open: null })
              action.showDone(`Role assigned to ${name}. We emailed them what to do.`)
            }}
          />
        )}
      </Drawer>
      <Dialog open={ending !== null} onClose={() => setEnding(null)} title="Remove role?" width="30rem">
        {ending && (
          <>
            <p>
              {ending.name} loses console access as {ROLE_NAMES[ending.role].toLowerCase()} immediately. The membership
              is not affected.
            </p>
            <div className="buttons">
              <Button variant="danger" onClick={() => void end(ending)}>
                Remove role
              </Button>
              <Button variant="line" onClick={() => setEnding(null)}>
                Cancel
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </ConsolePage>
  )
}

const LAST_MANAGER = 'The only one who can manage officers: assign the role to someone else before it can be removed.'

const COLUMNS: readonly Column<OfficerTerm>[] = [
  {
    key: 'role',
    label: 'Role',
    cell: ({ role, isLastManager }) => (
      <>
        {ROLE_NAMES[role]}
        {isLastManager && <span className="small soft"> {LAST_MANAGER}</span>}
      </>
    ),
  },
  {
    key: 'state',
    label: 'Status',
    staysFolded: true,
    cell: ({ state }) => <Badge tone={STATES[state][0]}>{STATES[state][1]}</Badge>,
  },
  { key: 'purpose', label: 'Can use', priority: 3, cell: ({ role }) => ROLE_PURPOSES[role] },
  { key: 'term', label: 'Term', cell: ({ startsOn, endsOn }) => `${formatDay(startsOn)} to ${formatDay(endsOn)}` },
  {
    key: 'factor',
    label: 'Second factor',
    priority: 2,
    cell: ({ hasSecondFactor, state }) =>
      hasSecondFactor ? <Badge tone="ok">Set up</Badge> : state === 'over' ? '' : <Badge tone="warn">Not set up</Badge>,
  },
]

/** When the roles of today end, if all end together. */
function TermLead({ terms }: Pick<OfficerTerms, 'terms'>) {
  const ends = new Set(terms.filter(({ state }) => state === 'now').map(({ endsOn }) => endsOn))
  const [first] = ends
  return (
    <>
      {ends.size === 1 && first
        ? `All roles end on ${formatDay(first)}.`
        : 'Each role ends by itself after its last day.'}{' '}
      <Link to="/console/roll-over">Start the new term</Link>
    </>
  )
}

/** What the parts of the console need, to change and to see them. */
const AREAS: readonly (readonly [area: string, change: Permission | null, verb: string, see: Permission | null])[] = [
  ['Members', 'members.change', 'Edit', 'members.look'],
  ['Credentials', 'credentials.decide', 'Decide', null],
  ['Payments', 'money.change', 'Edit', 'money.look'],
  ['Inbox', 'messages.answer', 'Reply', null],
  ['Events and check-in', 'events.run', 'Edit', null],
  ['Content and media', 'content.change', 'Edit', null],
  ['Newsletter', 'newsletter.send', 'Send', null],
  ['News and offers to members', 'members.email', 'Send', null],
  ['Notices to members', 'members.notify', 'Send', null],
  ['Sponsors', 'sponsors.change', 'Edit', 'sponsors.look'],
  ['Officers and roles', 'officers.change', 'Edit', 'console.look'],
  ['Audit log', null, '', 'audit.look'],
]

/** The permissions of every role, from the table the server checks. */
function RoleTable() {
  const rights = ROLES.map((role): [Role, Permission[]] => [role, permissionsOf([role])])
  return (
    <Panel title="What each role can do" isFlush>
      <TableScroll label="What each role can do">
        <table className="data-table unfolded">
          <thead>
            <tr>
              <th scope="col">Area</th>
              {ROLES.map((role) => (
                <th scope="col" key={role}>
                  {ROLE_NAMES[role]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {AREAS.map(([area, change, verb, see]) => (
              <tr key={area}>
                <th scope="row" className="name">
                  {area}
                </th>
                {rights.map(([role, held]) => (
                  <td key={role}>
                    {change && held.includes(change) ? verb : see && held.includes(see) ? 'View' : '–'}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </Panel>
  )
}

import { useState } from 'react'
import { ROLE_NAMES, ROLES } from '#contract/access.ts'
import {
  endRole,
  assignRole,
  listOfficers,
  type HeldItem,
  type OfficerTerm,
  type OfficerTerms,
} from '#contract/console/console.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { SelectField } from '../forms/select-field.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'

const STATES = { now: ['ok', 'Active'], later: ['quiet', 'Starts later'], over: ['quiet', 'Ended'] } as const

/** Officers' roles and terms. */
export default function OfficersPage() {
  const officers = useLoaded(listOfficers)
  const action = useAction()
  const [isAssigning, setAssigning] = useState(false)
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
      lead="A role gives access to parts of this console until its term ends."
      action={
        <div className="buttons">
          {officers.value?.mayChange && <Button onClick={() => setAssigning(true)}>Assign role</Button>}
          <ButtonLink variant="line" to="/console/approvals">
            Requests
          </ButtonLink>
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
          <ul className="entries">
            {terms.map((term) => (
              <Term
                key={term.id}
                term={term}
                isBusy={action.busy === term.id}
                onEnd={mayChange && term.state !== 'over' ? () => setEnding(term) : null}
              />
            ))}
          </ul>
        )}
      </WhenLoaded>
      <Dialog open={isAssigning} onClose={() => setAssigning(false)} title="Assign role" width="36rem">
        {isAssigning && (
          <AssignRoleForm
            onAssigned={(terms) => {
              officers.setValue(terms)
              setAssigning(false)
              action.showDone('Role assigned.')
            }}
          />
        )}
      </Dialog>
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

interface TermProps {
  term: OfficerTerm
  isBusy: boolean
  /** null when it cannot be ended, or the caller may not end it. */
  onEnd: (() => void) | null
}

function Term({ term, isBusy, onEnd }: TermProps) {
  const [tone, label] = STATES[term.state]
  return (
    <li className="card entry">
      <div>
        <h2>{term.name}</h2>
        <p>
          {ROLE_NAMES[term.role]}, {formatDay(term.startsOn)} to {formatDay(term.endsOn)}
        </p>
        <p className="small soft">
          {term.email}
          {term.state !== 'over' && !term.hasSecondFactor && ' · has not logged in yet'}
        </p>
      </div>
      <Badge tone={tone}>{label}</Badge>
      {onEnd && (
        <Button
          variant="line"
          size="small"
          aria-label={`Remove role ${ROLE_NAMES[term.role]} of ${term.name}`}
          busy={isBusy}
          busyLabel="Removing"
          onClick={onEnd}
        >
          Remove role
        </Button>
      )}
    </li>
  )
}

const FIELDS = { email: 'Member’s email', role: 'Role', startsOn: 'First day', endsOn: 'Last day' }
const ROLE_OPTIONS = ROLES.map((role) => [role, ROLE_NAMES[role]] as const)
const initial = () => ({ role: 'viewer' })

function AssignRoleForm({ onAssigned }: { onAssigned(terms: OfficerTerms): void }) {
  const form = useDraftForm('role', {
    fields: FIELDS,
    initial,
    errorMessage: officerErrorMessage,
    async send({ email, role, startsOn, endsOn }) {
      const known = ROLES.find((one) => one === role) ?? 'viewer'
      onAssigned(await callAsOfficer(assignRole, { body: { email, role: known, startsOn, endsOn } }))
    },
  })
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <Field {...form.field('email')} type="email" autoComplete="off" />
      <SelectField {...form.field('role')} options={ROLE_OPTIONS} />
      <div className="pair">
        <Field {...form.field('startsOn')} type="date" />
        <Field {...form.field('endsOn')} type="date" />
      </div>
      <Button type="submit" busy={form.isSubmitting} busyLabel="Assigning">
        Assign role
      </Button>
    </form>
  )
}

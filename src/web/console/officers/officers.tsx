import { useState } from 'react'
import { ROLE_NAMES, ROLES } from '#contract/access.ts'
import {
  endRole,
  giveRole,
  listOfficers,
  type HeldItem,
  type OfficerTerm,
  type OfficerTerms,
} from '#contract/console.ts'
import { formatMoment } from '#contract/dates.ts'
import { writeDay } from '#contract/days.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { useAction } from '#web/features/console/use-action.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { KeptFormMessages } from '#web/features/console/kept-form-messages.tsx'
import { useKeptForm } from '#web/features/console/use-kept-form.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field, FieldBox } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'

const STATES = { now: ['ok', 'In office'], later: ['quiet', 'Begins later'], over: ['quiet', 'Ended'] } as const

/** Who holds which role, and until when. */
export default function OfficersPage() {
  const officers = useLoaded('officers', () => callAsOfficer(listOfficers))
  const action = useAction()
  const [isGiving, setGiving] = useState(false)
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
      title="Officers"
      lead="A role opens parts of this console for a term, and closes them by itself when the term ends."
      action={
        <div className="buttons">
          {officers.value?.mayChange && <Button onClick={() => setGiving(true)}>Give a role</Button>}
          <ButtonLink variant="line" to="/console/approvals">
            Requests
          </ButtonLink>
        </div>
      }
    >
      <ActionMessages action={action} />
      {held.length > 0 && (
        <Banner tone="warn" title="What this person had scheduled was held" role="status">
          <p>Nothing of it goes out until somebody else publishes, sends or schedules it:</p>
          <ul>
            {held.map(({ title, path, at }) => (
              <li key={path}>
                <Link to={path}>{title}</Link>, was to go out {formatMoment(at)}
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
      <Dialog open={isGiving} onClose={() => setGiving(false)} title="Give a role" width="36rem">
        {isGiving && (
          <GiveRoleForm
            onGiven={(given) => {
              officers.setValue(given)
              setGiving(false)
              action.say('The role was given.')
            }}
          />
        )}
      </Dialog>
      <Dialog open={ending !== null} onClose={() => setEnding(null)} title="End this term?" width="30rem">
        {ending && (
          <>
            <p>
              {ending.name} can use the console as {ROLE_NAMES[ending.role].toLowerCase()} no longer, from this moment
              on. The membership stays as it is.
            </p>
            <div className="buttons">
              <Button variant="danger" onClick={() => void end(ending)}>
                End the term
              </Button>
              <Button variant="line" onClick={() => setEnding(null)}>
                Keep it
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
  /** null where it cannot be ended, or not by the caller. */
  onEnd: (() => void) | null
}

function Term({ term, isBusy, onEnd }: TermProps) {
  const [tone, word] = STATES[term.state]
  return (
    <li className="sheet entry">
      <div>
        <h2>{term.name}</h2>
        <p>
          {ROLE_NAMES[term.role]}, {writeDay(term.startsOn)} to {writeDay(term.endsOn)}
        </p>
        <p className="small soft">
          {term.email}
          {term.state !== 'over' && !term.hasSecondFactor && ' · has not opened the console yet'}
        </p>
      </div>
      <Badge tone={tone}>{word}</Badge>
      {onEnd && (
        <Button
          variant="line"
          size="small"
          aria-label={`End the term of ${term.name} as ${ROLE_NAMES[term.role]}`}
          busy={isBusy}
          busyLabel="Ending"
          onClick={onEnd}
        >
          End the term
        </Button>
      )}
    </li>
  )
}

const FIELDS = ['email', 'role', 'startsOn', 'endsOn'] as const

function GiveRoleForm({ onGiven }: { onGiven(given: OfficerTerms): void }) {
  const form = useKeptForm('role', {
    order: FIELDS,
    explain: explainToOfficer,
    async send({ email, role, startsOn, endsOn }) {
      const known = ROLES.find((one) => one === role) ?? 'viewer'
      onGiven(await callAsOfficer(giveRole, { body: { email, role: known, startsOn, endsOn } }))
    },
  })
  return (
    <form {...form.props}>
      <KeptFormMessages form={form} />
      <Field
        label="Email of the member"
        name="email"
        type="email"
        autoComplete="off"
        {...errorOf(form.problems.email)}
      />
      <FieldBox id="field-role" label="Role" {...errorOf(form.problems.role)}>
        <select className="input" id="field-role" name="role" defaultValue="viewer">
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {ROLE_NAMES[role]}
            </option>
          ))}
        </select>
      </FieldBox>
      <div className="pair">
        <Field label="First day" name="startsOn" type="date" {...errorOf(form.problems.startsOn)} />
        <Field label="Last day" name="endsOn" type="date" {...errorOf(form.problems.endsOn)} />
      </div>
      <Button type="submit" busy={form.isSending} busyLabel="Giving the role">
        Give the role
      </Button>
    </form>
  )
}

function errorOf(error: string | undefined): { error?: string } {
  return error === undefined ? {} : { error }
}

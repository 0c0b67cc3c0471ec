import { ROLE_NAMES, ROLES } from '#contract/access.ts'
import type { PlannedGrant, PresentTerm } from '#contract/console/roll-over.ts'
import { isDay, formatDay } from '#contract/dates/days.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, Field, FieldBox, fieldId } from '#web/ui/field.tsx'
import { Card } from '#web/ui/card.tsx'
import { MemberField } from './member-field.tsx'
import { newGrant } from './plan.rules.ts'
import type { RollOverEditor } from './use-roll-over.ts'

/** Console roles that end with the term, and new ones. */
export function RolesStep({ editor }: { editor: RollOverEditor }) {
  const { plan, rollOver, edition, change } = editor

  function set(index: number, part: Partial<PlannedGrant>) {
    change((before) => ({
      ...before,
      grants: before.grants.map((grant, at) => (at === index ? { ...grant, ...part } : grant)),
    }))
  }

  return (
    <>
      <Card title="New roles">
        <p>Each new officer is emailed instructions. Only members with an account can have a role.</p>
        <ol className="seats">
          {plan.grants.map((grant, index) => {
            const { role, name, accountId, startsOn, endsOn } = grant
            const id = fieldId(`grants.${index}.role`)
            return (
              // oxlint-disable-next-line react/no-array-index-key -- a role that is not given yet has no other name
              <li key={`${edition} ${index}`} className="seat">
                <FieldBox id={id} label="Role">
                  <select
                    className="input"
                    id={id}
                    value={role}
                    onChange={({ target }) =>
                      set(index, { role: ROLES.find((one) => one === target.value) ?? 'viewer' })
                    }
                  >
                    {ROLES.map((one) => (
                      <option key={one} value={one}>
                        {ROLE_NAMES[one]}
                      </option>
                    ))}
                  </select>
                </FieldBox>
                <MemberField
                  label={`Account of the ${ROLE_NAMES[role].toLowerCase()}`}
                  name={`grants.${index}.name`}
                  value={{ name, accountId }}
                  member={rollOver.members.find(({ id: known }) => known === accountId)}
                  hint="Type a name or email, then choose."
                  onChange={(chosen) => set(index, chosen)}
                />
                <div className="pair">
                  <Field
                    label="First day"
                    name={`grants.${index}.startsOn`}
                    type="date"
                    value={startsOn}
                    onChange={({ target }) => set(index, { startsOn: target.value })}
                  />
                  <Field
                    label="Last day"
                    name={`grants.${index}.endsOn`}
                    type="date"
                    value={endsOn}
                    onChange={({ target }) => set(index, { endsOn: target.value })}
                  />
                </div>
                <div className="buttons">
                  <Button
                    variant="line"
                    size="small"
                    aria-label={`Remove role ${ROLE_NAMES[role]}`}
                    onClick={() =>
                      change((before) => ({ ...before, grants: before.grants.filter((_, at) => at !== index) }))
                    }
                  >
                    Remove
                  </Button>
                </div>
              </li>
            )
          })}
        </ol>
        <Button
          variant="line"
          size="small"
          onClick={() =>
            change((before) => ({
              ...before,
              grants: [...before.grants, newGrant({ firstDay: rollOver.firstDay, plan: before })],
            }))
          }
        >
          Add role
        </Button>
      </Card>
      <Card title="Ending roles">
        {rollOver.present.terms.length === 0 && <p className="soft">No one holds a role in the current term.</p>}
        <ul className="ending-roles">
          {rollOver.present.terms.map((term) => (
            <li key={term.id}>
              <Ending
                term={term}
                lastDay={plan.lastDay}
                isTicked={plan.endings.includes(term.id)}
                onTick={(isTicked) =>
                  change((before) => ({
                    ...before,
                    endings: [...before.endings.filter((one) => one !== term.id), ...(isTicked ? [term.id] : [])],
                  }))
                }
              />
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}

function Ending({
  term: { id, name, role, email, endsOn },
  lastDay,
  isTicked,
  onTick,
}: {
  term: PresentTerm
  lastDay: string
  isTicked: boolean
  onTick(isTicked: boolean): void
}) {
  const who = `${name}, ${ROLE_NAMES[role].toLowerCase()}`
  if (endsOn <= lastDay)
    return (
      <p>
        <strong>{who}</strong>
        <span className="small soft"> ends on {formatDay(endsOn)}</span>
      </p>
    )
  return (
    <Checkbox
      label={
        <>
          <strong>{who}</strong>
          <span className="small soft">
            {' '}
            {email} · {isDay(lastDay) && `ends on ${formatDay(lastDay)}`} instead of {formatDay(endsOn)}
          </span>
        </>
      }
      name={`ending.${id}`}
      checked={isTicked}
      onChange={({ target }) => onTick(target.checked)}
    />
  )
}

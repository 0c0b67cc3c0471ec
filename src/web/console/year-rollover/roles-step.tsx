import { ROLE_NAMES, ROLES } from '#contract/access.ts'
import type { PlannedGrant, PresentTerm } from '#contract/console-roll-over.ts'
import { isDay, writeDay } from '#contract/days.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, Field, FieldBox, fieldId } from '#web/ui/field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { MemberField } from './member-field.tsx'
import { newGrant } from './plan.rules.ts'
import type { RollOverEditor } from './use-roll-over.ts'

/** Roles of the console: whose end with the year, and who gets which. */
export function RolesStep({ editor }: { editor: RollOverEditor }) {
  const { plan, rollOver, edition, change } = editor

  function set(place: number, part: Partial<PlannedGrant>) {
    change((before) => ({
      ...before,
      grants: before.grants.map((grant, at) => (at === place ? { ...grant, ...part } : grant)),
    }))
  }

  return (
    <>
      <Sheet title="Who comes">
        <p>Each gets a letter with the way in. Only somebody with an account can have a role.</p>
        <ol className="seats">
          {plan.grants.map((grant, place) => {
            const { role, name, accountId, startsOn, endsOn } = grant
            const id = fieldId(`grants.${place}.role`)
            return (
              // oxlint-disable-next-line react/no-array-index-key -- a role that is not given yet has no other name
              <li key={`${edition} ${place}`} className="seat">
                <FieldBox id={id} label="Role">
                  <select
                    className="input"
                    id={id}
                    value={role}
                    onChange={({ target }) =>
                      set(place, { role: ROLES.find((one) => one === target.value) ?? 'viewer' })
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
                  name={`grants.${place}.name`}
                  value={{ name, accountId }}
                  member={rollOver.members.find(({ id: known }) => known === accountId)}
                  hint="Type a name or an address, then choose."
                  onChange={(chosen) => set(place, chosen)}
                />
                <div className="pair">
                  <Field
                    label="First day"
                    name={`grants.${place}.startsOn`}
                    type="date"
                    value={startsOn}
                    onChange={({ target }) => set(place, { startsOn: target.value })}
                  />
                  <Field
                    label="Last day"
                    name={`grants.${place}.endsOn`}
                    type="date"
                    value={endsOn}
                    onChange={({ target }) => set(place, { endsOn: target.value })}
                  />
                </div>
                <div className="buttons">
                  <Button
                    variant="line"
                    size="small"
                    aria-label={`Take the role ${ROLE_NAMES[role]} out`}
                    onClick={() =>
                      change((before) => ({ ...before, grants: before.grants.filter((_, at) => at !== place) }))
                    }
                  >
                    Take out
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
          Add a role
        </Button>
      </Sheet>
      <Sheet title="Who goes">
        {rollOver.present.terms.length === 0 && <p className="soft">Nobody holds a role in the year that ends.</p>}
        <ul className="endings">
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
      </Sheet>
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
        <span className="small soft"> ends by itself on {writeDay(endsOn)}</span>
      </p>
    )
  return (
    <Checkbox
      label={
        <>
          <strong>{who}</strong>
          <span className="small soft">
            {' '}
            {email} · {isDay(lastDay) && `ends on ${writeDay(lastDay)}`} instead of {writeDay(endsOn)}
          </span>
        </>
      }
      name={`ending.${id}`}
      checked={isTicked}
      onChange={({ target }) => onTick(target.checked)}
    />
  )
}

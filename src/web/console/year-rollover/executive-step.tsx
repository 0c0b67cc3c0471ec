import type { PlannedSeat } from '#contract/console/roll-over.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Card } from '#web/ui/card.tsx'
import { MemberField } from './member-field.tsx'
import { knownLeaders, withSeat } from './plan.rules.ts'
import type { RollOverEditor } from './use-roll-over.ts'

/** The executive committee of the new term, office by office. */
export function ExecutiveStep({ editor }: { editor: RollOverEditor }) {
  const { plan, rollOver, edition, change } = editor
  const { present, term, members } = rollOver
  const known = knownLeaders({ plan, present })
  const held = new Map(present.executive.map((leader) => [leader.role, leader]))

  function set(index: number, part: Partial<PlannedSeat>) {
    change((before) => withSeat(before, index, part, known))
  }

  return (
    <Card title={`${present.names['executive-committee']} ${term}`}>
      <p>
        Who moves up from another office is filled in. Type to choose a member, or enter a name only; the city of a
        current leader is filled in. Offices left empty are not shown.
      </p>
      <ol className="seats">
        {plan.executive.map((seat, index) => {
          const { office, name, location, accountId } = seat
          const now = held.get(office)
          return (
            // oxlint-disable-next-line react/no-array-index-key -- an office has no other name while it is written
            <li key={`${edition} ${index}`} className="seat">
              <Field
                label="Office"
                name={`executive.${index}.office`}
                autoComplete="off"
                value={office}
                onChange={({ target }) => set(index, { office: target.value })}
              />
              <MemberField
                label={`Who is ${office || 'this'}?`}
                name={`executive.${index}.name`}
                value={{ name, accountId }}
                member={members.find(({ id }) => id === accountId)}
                suggestions={known.map((leader) => leader.name)}
                hint={now ? `Now: ${now.name}` : ''}
                onChange={(chosen) => set(index, chosen)}
              />
              <Field
                label="City (optional)"
                name={`executive.${index}.location`}
                autoComplete="off"
                value={location}
                onChange={({ target }) => set(index, { location: target.value })}
              />
              <div className="buttons">
                {now && now.name !== name && (
                  <Button
                    variant="line"
                    size="small"
                    aria-label={`${now.name} stays ${office}`}
                    onClick={() => set(index, { name: now.name, location: now.location, accountId: null })}
                  >
                    {now.name} stays
                  </Button>
                )}
                <Button
                  variant="line"
                  size="small"
                  aria-label={`Remove office ${office || index + 1}`}
                  onClick={() =>
                    change((before) => ({ ...before, executive: before.executive.filter((_, at) => at !== index) }))
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
            executive: [...before.executive, { office: '', name: '', location: '', accountId: null }],
          }))
        }
      >
        Add office
      </Button>
    </Card>
  )
}

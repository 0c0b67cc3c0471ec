import type { PlannedSeat } from '#contract/console-roll-over.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { MemberField } from './member-field.tsx'
import { knownLeaders, withSeat } from './plan.rules.ts'
import type { RollOverEditor } from './use-roll-over.ts'

/** Who leads in the year that begins, office by office. */
export function ExecutiveStep({ editor }: { editor: RollOverEditor }) {
  const { plan, rollOver, edition, change } = editor
  const { present, term, members } = rollOver
  const known = knownLeaders({ plan, present })
  const held = new Map(present.executive.map((leader) => [leader.role, leader]))

  function set(place: number, part: Partial<PlannedSeat>) {
    change((before) => withSeat(before, place, part, known))
  }

  return (
    <Sheet title={`Executive Committee ${term}`}>
      <p>
        Who moves up by the bylaws is filled in. Choose a member while you type, or write a name alone; whoever leads
        already brings the city along. An office that is left empty is not shown.
      </p>
      <ol className="seats">
        {plan.executive.map((seat, place) => {
          const { office, name, location, accountId } = seat
          const now = held.get(office)
          return (
            // oxlint-disable-next-line react/no-array-index-key -- an office has no other name while it is written
            <li key={`${edition} ${place}`} className="seat">
              <Field
                label="Office"
                name={`executive.${place}.office`}
                autoComplete="off"
                value={office}
                onChange={({ target }) => set(place, { office: target.value })}
              />
              <MemberField
                label={`Who is ${office || 'this'}?`}
                name={`executive.${place}.name`}
                value={{ name, accountId }}
                member={members.find(({ id }) => id === accountId)}
                suggestions={known.map((leader) => leader.name)}
                hint={now ? `Now: ${now.name}` : ''}
                onChange={(chosen) => set(place, chosen)}
              />
              <Field
                label="City (optional)"
                name={`executive.${place}.location`}
                autoComplete="off"
                value={location}
                onChange={({ target }) => set(place, { location: target.value })}
              />
              <div className="buttons">
                {now && now.name !== name && (
                  <Button
                    variant="line"
                    size="small"
                    aria-label={`${now.name} stays ${office}`}
                    onClick={() => set(place, { name: now.name, location: now.location, accountId: null })}
                  >
                    {now.name} stays
                  </Button>
                )}
                <Button
                  variant="line"
                  size="small"
                  aria-label={`Take the office ${office || place + 1} out`}
                  onClick={() =>
                    change((before) => ({ ...before, executive: before.executive.filter((_, at) => at !== place) }))
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
            executive: [...before.executive, { office: '', name: '', location: '', accountId: null }],
          }))
        }
      >
        Add an office
      </Button>
    </Sheet>
  )
}

import type { ContentField } from '#contract/console/content.ts'
import { GroupField } from '../content/group-field.tsx'
import { Checkbox } from '#web/ui/field.tsx'
import { Card } from '#web/ui/card.tsx'
import { toCommittee, toLeader } from './plan.rules.ts'
import type { RollOverEditor } from './use-roll-over.ts'

const simple = { hint: null, isRequired: true, isFixed: false, options: [] }
const line = (name: string, label: string, isRequired = true) => ({
  ...simple,
  name,
  label,
  control: 'line' as const,
  isRequired,
})

function peopleField(body: string): ContentField {
  const fields = [line('name', 'Name'), line('role', 'Office', false), line('location', 'City', false)]
  return { ...simple, name: body, label: 'People, in page order', control: 'group', fields }
}

const COMMITTEES: ContentField = {
  ...simple,
  name: 'committees',
  label: 'Committees, in page order',
  control: 'group',
  fields: [
    line('title', 'Name'),
    { ...simple, name: 'blurb', label: 'Description', control: 'text' },
    { ...simple, name: 'members', label: 'Members', control: 'lines', hint: 'One per line, the chair first.' },
  ],
}

/** The members of boards and committees in the new term. */
export function BoardsStep({ editor: { plan, rollOver, edition, change } }: { editor: RollOverEditor }) {
  const { present, term } = rollOver
  return (
    <>
      {plan.boards.map(({ body, isRenewed, people }) => {
        const now = present.boards.find((one) => one.body === body)
        return (
          <Card key={body} title={present.names[body]}>
            <Checkbox
              label={`Set up ${present.names[body]} for ${term}${now ? ` (now shown: ${now.term})` : ''}`}
              name={`${body}.isRenewed`}
              checked={isRenewed}
              onChange={({ target }) =>
                change((before) => ({
                  ...before,
                  boards: before.boards.map((one) => (one.body === body ? { ...one, isRenewed: target.checked } : one)),
                }))
              }
            />
            {isRenewed ? (
              <GroupField
                key={edition}
                kind={body}
                field={peopleField(body)}
                value={people}
                problems={{}}
                onChange={(things) =>
                  change((before) => ({
                    ...before,
                    boards: before.boards.map((one) =>
                      one.body === body ? { ...one, people: things.map(toLeader) } : one,
                    ),
                  }))
                }
              />
            ) : (
              <p className="soft">No change.</p>
            )}
          </Card>
        )
      })}
      <Card title={present.names.committees}>
        <Checkbox
          label={`Set up ${present.names.committees} for ${term}${present.committeesTerm ? ` (now shown: ${present.committeesTerm})` : ''}`}
          name="committees.isRenewed"
          checked={plan.committees.isRenewed}
          onChange={({ target }) =>
            change((before) => ({ ...before, committees: { ...before.committees, isRenewed: target.checked } }))
          }
        />
        {plan.committees.isRenewed ? (
          <GroupField
            key={edition}
            kind="committees"
            field={COMMITTEES}
            value={plan.committees.list}
            problems={{}}
            onChange={(things) =>
              change((before) => ({
                ...before,
                committees: { ...before.committees, list: things.map(toCommittee) },
              }))
            }
          />
        ) : (
          <p className="soft">No change.</p>
        )}
      </Card>
    </>
  )
}

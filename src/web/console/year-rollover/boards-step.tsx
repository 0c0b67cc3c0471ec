import type { ContentField } from '#contract/console-content.ts'
import { BOARD_NAMES } from '#contract/console-roll-over.ts'
import { GroupField } from '#web/features/content/group-field.tsx'
import { Checkbox } from '#web/ui/field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { committeeFrom, leaderFrom } from './plan.rules.ts'
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
  return { ...simple, name: body, label: 'People, in the order of the page', control: 'group', fields }
}

const COMMITTEES: ContentField = {
  ...simple,
  name: 'committees',
  label: 'Committees, in the order of the page',
  control: 'group',
  fields: [
    line('title', 'Name'),
    { ...simple, name: 'blurb', label: 'What it does', control: 'text' },
    { ...simple, name: 'members', label: 'Members', control: 'lines', hint: 'One on each line, the chair first.' },
  ],
}

/** Boards and committees: who stays, who leaves, who comes. */
export function BoardsStep({ editor: { plan, rollOver, edition, change } }: { editor: RollOverEditor }) {
  const { present, term } = rollOver
  return (
    <>
      {plan.boards.map(({ body, isRenewed, people }) => {
        const now = present.boards.find((one) => one.body === body)
        return (
          <Sheet key={body} title={BOARD_NAMES[body]}>
            <Checkbox
              label={`Begin the ${BOARD_NAMES[body]} of ${term}${now ? ` (visitors see ${now.term} now)` : ''}`}
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
                field={peopleField(body)}
                value={people}
                problems={{}}
                onChange={(things) =>
                  change((before) => ({
                    ...before,
                    boards: before.boards.map((one) =>
                      one.body === body ? { ...one, people: things.map(leaderFrom) } : one,
                    ),
                  }))
                }
              />
            ) : (
              <p className="soft">It stays as it is.</p>
            )}
          </Sheet>
        )
      })}
      <Sheet title="Committees">
        <Checkbox
          label={`Begin the committees of ${term}${present.committeesTerm ? ` (visitors see ${present.committeesTerm} now)` : ''}`}
          name="committees.isRenewed"
          checked={plan.committees.isRenewed}
          onChange={({ target }) =>
            change((before) => ({ ...before, committees: { ...before.committees, isRenewed: target.checked } }))
          }
        />
        {plan.committees.isRenewed ? (
          <GroupField
            key={edition}
            field={COMMITTEES}
            value={plan.committees.list}
            problems={{}}
            onChange={(things) =>
              change((before) => ({
                ...before,
                committees: { ...before.committees, list: things.map(committeeFrom) },
              }))
            }
          />
        ) : (
          <p className="soft">They stay as they are.</p>
        )}
      </Sheet>
    </>
  )
}

import { formatDay, isDay } from '#contract/dates/days.ts'
import { Field } from '#web/ui/field.tsx'
import { Card } from '#web/ui/card.tsx'
import type { RollOverEditor } from './use-roll-over.ts'

/** The term that ends and the term that starts. */
export function YearStep({ editor: { plan, rollOver, change } }: { editor: RollOverEditor }) {
  const { term, formerTerm, firstDay } = rollOver
  return (
    <Card title="Terms">
      <p>
        Suggested from the association’s settings. Your input is saved as you go, so you can stop and continue later, on
        another device too. Nothing changes until you review and confirm everything on the last page.
      </p>
      <div className="pair">
        <Field
          label="Last day of the current term"
          name="lastDay"
          type="date"
          value={plan.lastDay}
          onChange={({ target }) => change((before) => ({ ...before, lastDay: target.value }))}
        />
        <Field
          label="Last day of the new term"
          name="newLastDay"
          type="date"
          value={plan.newLastDay}
          onChange={({ target }) => change((before) => ({ ...before, newLastDay: target.value }))}
        />
      </div>
      <dl className="roll-over-years">
        <div>
          <dt>Ends</dt>
          <dd>{formerTerm}</dd>
        </div>
        <div>
          <dt>Starts</dt>
          <dd>
            {term}
            <span className="small soft"> {isDay(firstDay) && `on ${formatDay(firstDay)}`}</span>
          </dd>
        </div>
      </dl>
    </Card>
  )
}

import { writeDay, isDay } from '#contract/days.ts'
import { Field } from '#web/ui/field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import type { RollOverEditor } from './use-roll-over.ts'

/** Which year ends, and which begins. */
export function YearStep({ editor: { plan, rollOver, change } }: { editor: RollOverEditor }) {
  const { term, formerTerm, firstDay } = rollOver
  return (
    <Sheet title="Which year ends, and which begins?">
      <p>
        Proposed from the settings of the association. What you fill in is kept as you go: stop at any time and go on
        later, on another device too. Nothing happens before you have seen everything on the last page and confirmed it.
      </p>
      <div className="pair">
        <Field
          label="Last day of the year that ends"
          name="lastDay"
          type="date"
          value={plan.lastDay}
          onChange={({ target }) => change((before) => ({ ...before, lastDay: target.value }))}
        />
        <Field
          label="Last day of the year that begins"
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
          <dt>Begins</dt>
          <dd>
            {term}
            <span className="small soft"> {isDay(firstDay) && `on ${writeDay(firstDay)}`}</span>
          </dd>
        </div>
      </dl>
    </Sheet>
  )
}

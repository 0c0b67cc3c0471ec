import { useState } from 'react'
import { Checkbox, Field } from '#web/ui/field.tsx'
import { Card } from '#web/ui/card.tsx'
import type { RollOverPlan } from '#contract/console/roll-over.ts'
import { outgoingOffice } from './plan.rules.ts'
import type { RollOverEditor } from './use-roll-over.ts'

/** The outgoing head of the association joins the past presidents. */
export function PastStep({ editor: { plan, rollOver, change } }: { editor: RollOverEditor }) {
  const { isAdded, name, year } = plan.pastPresident
  /** Partial input: the plan only accepts four-digit years. */
  const [typedYear, setTypedYear] = useState<string | null>(null)

  function set(part: Partial<RollOverPlan['pastPresident']>) {
    change((before) => ({ ...before, pastPresident: { ...before.pastPresident, ...part } }))
  }

  return (
    <Card title="Past presidents">
      <Checkbox
        label={`Add the outgoing ${outgoingOffice(rollOver)} to the list`}
        name="pastPresident.isAdded"
        checked={isAdded}
        onChange={({ target }) => set({ isAdded: target.checked })}
      />
      {isAdded && (
        <div className="pair">
          <Field
            label="Name"
            name="pastPresident.name"
            autoComplete="off"
            value={name}
            onChange={({ target }) => set({ name: target.value })}
          />
          <Field
            label="Year"
            name="pastPresident.year"
            type="number"
            hint="The year the term ended."
            value={typedYear ?? year}
            onBlur={() => setTypedYear(null)}
            onChange={({ target }) => {
              setTypedYear(target.value)
              if (/^\d{4}$/.test(target.value)) set({ year: Number(target.value) })
            }}
          />
        </div>
      )}
    </Card>
  )
}

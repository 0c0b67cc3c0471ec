import { sponsorBoardLimits, type RunItem } from '#contract/console/sponsors.ts'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'

const FIELDS = { title: 'Title', minutes: 'Minutes' }
const WHOLE = /^\d{1,3}$/

/** Adds an item other than sponsor remarks, such as a welcome or a prayer. */
export function RunItemForm({ day, onAdd }: { day: string; onAdd(item: RunItem): void }) {
  const form = useDraftForm(`run-item:${day}`, {
    fields: FIELDS,
    check: ({ title, minutes }) => ({
      ...(title.trim() === '' && { title: 'Please enter a title' }),
      ...((!WHOLE.test(minutes) || Number(minutes) > sponsorBoardLimits.minutesMax) && {
        minutes: 'Enter whole minutes.',
      }),
    }),
    errorMessage: String,
    async send({ title, minutes }) {
      onAdd({ sponsorshipId: null, title: title.trim(), minutes: Number(minutes) })
    },
  })
  return (
    <form {...form.props} className="card">
      <h2>Add another item</h2>
      <DraftFormMessages form={form} />
      <div className="pair">
        <Field {...form.field('title')} maxLength={sponsorBoardLimits.titleMax} autoComplete="off" />
        <Field {...form.field('minutes')} inputMode="numeric" autoComplete="off" />
      </div>
      <Button type="submit" variant="line">
        Add
      </Button>
    </form>
  )
}

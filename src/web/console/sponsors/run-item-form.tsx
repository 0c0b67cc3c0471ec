import { sponsorBoardLimits, type RunItem } from '#contract/console-sponsors.ts'
import { KeptFormMessages } from './kept-form-messages.tsx'
import { useKeptForm } from './use-kept-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'

const FIELDS = ['title', 'minutes'] as const
const WHOLE = /^\d{1,3}$/

/** Something between the sponsors, such as a welcome or a prayer. */
export function RunItemForm({ day, onAdd }: { day: string; onAdd(item: RunItem): void }) {
  const form = useKeptForm(`run-item:${day}`, {
    order: FIELDS,
    check: ({ title, minutes }) => ({
      ...(title.trim() === '' && { title: 'Please say what it is' }),
      ...((!WHOLE.test(minutes) || Number(minutes) > sponsorBoardLimits.minutesMax) && {
        minutes: 'Please enter whole minutes',
      }),
    }),
    explain: String,
    async send({ title, minutes }) {
      onAdd({ sponsorshipId: null, title: title.trim(), minutes: Number(minutes) })
      form.props.ref.current?.reset()
    },
  })
  const { title, minutes } = form.problems
  return (
    <form {...form.props} className="sheet">
      <h2>Add something else</h2>
      <KeptFormMessages form={form} />
      <div className="pair">
        <Field
          label="What"
          name="title"
          maxLength={sponsorBoardLimits.titleMax}
          autoComplete="off"
          {...(title === undefined ? {} : { error: title })}
        />
        <Field
          label="Minutes"
          name="minutes"
          inputMode="numeric"
          autoComplete="off"
          {...(minutes === undefined ? {} : { error: minutes })}
        />
      </div>
      <Button type="submit" variant="line">
        Add it
      </Button>
    </form>
  )
}

import { answerRollObjection, type RollObjection } from '#contract/console/people/roll.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { officerErrorMessage } from '../shell/call-as-officer.ts'
import { saveAsOfficer } from '../shell/save-as-officer.ts'

interface ObjectionFormProps {
  id: string
  objection: RollObjection
  change: { what: 'add' | 'remove'; accountId: string; name: string } | null
  onSaved(): void
}

const FIELDS = { answer: 'Answer to the member' }

/** The answer to an objection, with the person it adds or removes. */
export function ObjectionForm({ id, objection, change, onSaved }: ObjectionFormProps) {
  const form = useDraftForm(`objection:${objection.id}`, {
    fields: FIELDS,
    errorMessage: officerErrorMessage,
    async send({ answer }) {
      await saveAsOfficer(answerRollObjection, {
        params: { id, objection: objection.id },
        body: { answer, change: change && { what: change.what, accountId: change.accountId } },
      })
      onSaved()
    },
  })
  return (
    <form {...form.props}>
      <p className="break">
        {objection.name}: {objection.text}
      </p>
      {change && (
        <p>
          <strong>
            {change.what === 'add'
              ? `${change.name} is added to the roll.`
              : `${change.name} is removed from the roll.`}
          </strong>
        </p>
      )}
      <DraftFormMessages form={form} />
      <Field {...form.field('answer')} maxLength={1_000} autoComplete="off" />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Saving">
        Answer
      </Button>
    </form>
  )
}

import { useState } from 'react'
import type { ConsoleMember } from '#contract/console/member.ts'
import {
  ENDING_NAMES,
  ENDINGS,
  endMember,
  planMemberEnd,
  type Ending,
  type EndingPlan,
} from '#contract/console/member-account.ts'
import { officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { WhenLoaded } from '#web/console/shell/console-page.tsx'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { DraftFormMessages } from '#web/console/forms/draft-form-messages.tsx'
import { useDraftForm } from '#web/console/forms/use-draft-form.ts'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { validate } from '#web/forms/validate.rules.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field, FieldBox } from '#web/ui/field.tsx'

interface EndMemberFormProps {
  member: ConsoleMember
  onSaved(member: ConsoleMember, done: string): void
}

/** Asks for the cause, lists the consequences and asks for the reason. */
export function EndMemberForm({ member, onSaved }: EndMemberFormProps) {
  const { id } = member
  const [ending, setEnding] = useState<Ending>('request')
  const plan = useLoaded(planMemberEnd, { params: { id }, query: { ending } })
  return (
    <>
      <FieldBox id="field-ending" label="Why is the account ending?">
        <select
          className="input"
          id="field-ending"
          name="ending"
          value={ending}
          onChange={({ target }) => setEnding(ENDINGS.find((one) => one === target.value) ?? 'request')}
        >
          {ENDINGS.map((one) => (
            <option key={one} value={one}>
              {ENDING_NAMES[one]}
            </option>
          ))}
        </select>
      </FieldBox>
      <div aria-live="polite" aria-busy={plan.isLoading || plan.isStale}>
        <WhenLoaded loaded={plan} what="consequences">
          {({ sentences, needsSecondOfficer }) =>
            plan.isStale ? null : (
              <>
                <h3>What happens</h3>
                <ul>
                  {sentences.map((sentence) => (
                    <li key={sentence} className="break">
                      {sentence}
                    </li>
                  ))}
                  {needsSecondOfficer && (
                    <li>This person holds a role, so none of this happens until a second officer approves it.</li>
                  )}
                </ul>
              </>
            )
          }
        </WhenLoaded>
      </div>
      {plan.value?.obstacle ? (
        <Banner tone="warn">{plan.value.obstacle}</Banner>
      ) : (
        <ReasonForm id={id} ending={ending} plan={plan.isStale ? null : plan.value} onSaved={onSaved} />
      )}
    </>
  )
}

const FIELDS = { reason: 'Reason for the audit log' }
const BODY = endMember.body

function ReasonForm({
  id,
  ending,
  plan,
  onSaved,
}: Pick<EndMemberFormProps, 'onSaved'> & {
  id: string
  ending: Ending
  /** null while loading. */
  plan: EndingPlan | null
}) {
  const version = plan?.version ?? ''
  const form = useDraftForm(`end:${id}`, {
    fields: FIELDS,
    errorMessage: officerErrorMessage,
    check: ({ reason }) => (BODY ? validate(BODY, { ending, reason, version }) : {}),
    async send({ reason }) {
      const body = { ending, reason, version }
      const changed = await saveAsOfficer(endMember, { params: { id }, body })
      onSaved(
        changed,
        changed.state === 'LEFT'
          ? 'Account ended.'
          : 'We’ve emailed the other officers for approval. Nothing happens until a second officer approves.',
      )
    },
  })
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <Field
        {...form.field('reason')}
        maxLength={300}
        autoComplete="off"
        hint="For example, the date of the email or call, and who contacted us."
      />
      <Button type="submit" variant="danger" disabled={plan === null} busy={form.isSubmitting} busyLabel="Ending">
        {plan?.needsSecondOfficer ? 'Request approval' : 'End account'}
      </Button>
    </form>
  )
}

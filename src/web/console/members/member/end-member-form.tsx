import { useState } from 'react'
import type { ConsoleMember } from '#contract/console-member.ts'
import {
  ENDING_NAMES,
  ENDINGS,
  endMember,
  planMemberEnd,
  type Ending,
  type EndingPlan,
} from '#contract/console-member-account.ts'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { WhenLoaded } from '#web/features/console/console-page.tsx'
import { heedOthers } from '#web/features/console/heed-others.ts'
import { KeptFormMessages } from '#web/features/console/kept-form-messages.tsx'
import { useKeptForm } from '#web/features/console/use-kept-form.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { problemsOf } from '#web/features/forms/problems.rules.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field, FieldBox } from '#web/ui/field.tsx'

interface EndMemberFormProps {
  member: ConsoleMember
  onSaved(member: ConsoleMember, done: string): void
}

/** First why, then what happens in sentences, then the reason. */
export function EndMemberForm({ member, onSaved }: EndMemberFormProps) {
  const { id } = member
  const [ending, setEnding] = useState<Ending>('request')
  const plan = useLoaded(`${id}:${ending}`, () => callAsOfficer(planMemberEnd, { params: { id }, query: { ending } }))
  return (
    <>
      <FieldBox id="field-ending" label="Why does it end?">
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
      <div aria-live="polite" aria-busy={plan.isLoading || plan.isOther}>
        <WhenLoaded loaded={plan} what="what happens">
          {({ sentences, needsSecondOfficer }) =>
            plan.isOther ? null : (
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
        <ReasonForm
          id={id}
          ending={ending}
          plan={plan.isOther ? null : plan.value}
          reload={plan.reload}
          onSaved={onSaved}
        />
      )}
    </>
  )
}

const FIELDS = ['reason'] as const
const BODY = endMember.body

function ReasonForm({
  id,
  ending,
  plan,
  reload,
  onSaved,
}: Pick<EndMemberFormProps, 'onSaved'> & {
  id: string
  ending: Ending
  /** null until it is there. */
  plan: EndingPlan | null
  reload(): void
}) {
  const version = plan?.version ?? ''
  const form = useKeptForm(`end:${id}`, {
    order: FIELDS,
    explain: explainToOfficer,
    check: ({ reason }) => (BODY ? problemsOf(BODY, { ending, reason, version }) : {}),
    async send({ reason }) {
      const body = { ending, reason, version }
      const changed = await heedOthers(reload, () => callAsOfficer(endMember, { params: { id }, body }))
      onSaved(
        changed,
        changed.state === 'LEFT'
          ? 'The account was ended.'
          : 'A second officer was asked by email. Nothing happens until the request is approved.',
      )
    },
  })
  const { reason } = form.problems
  return (
    <form {...form.props}>
      <KeptFormMessages form={form} />
      <Field
        label="Reason for the audit log"
        name="reason"
        maxLength={300}
        autoComplete="off"
        hint="For example, the date of the email or call, and who contacted us."
        {...(reason && { error: reason })}
      />
      <Button
        type="submit"
        variant="danger"
        disabled={plan === null}
        busy={form.isSending}
        busyLabel="Ending the account"
      >
        {plan?.needsSecondOfficer ? 'Ask a second officer' : 'End the account'}
      </Button>
    </form>
  )
}

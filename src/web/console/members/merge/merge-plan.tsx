import { useState } from 'react'
import { useNavigate } from 'react-router'
import { formatLongDate } from '#contract/dates.ts'
import {
  MERGE_UNDO_DAYS,
  mergeMembers,
  planMerge,
  type MergeChoices,
  type MergePlan,
  type MergeSide,
  type Whose,
} from '#contract/console-merge.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { WhenLoaded } from '#web/features/console/console-page.tsx'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { MemberStateBadge } from './member-state.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

const KEPT: MergeChoices = { name: 'kept' }

/** Two accounts side by side: what stays, what moves, what stands in the way; and the last question. */
export function MergePlanSheets({ id, otherId, onOther }: { id: string; otherId: string; onOther(): void }) {
  const [choices, setChoices] = useState(KEPT)
  const [isAsking, setAsking] = useState(false)
  const navigate = useNavigate()
  const params = { id, other: otherId }
  const found = useLoaded(`${id} ${otherId}`, () => callAsOfficer(planMerge, { params }))
  return (
    <WhenLoaded loaded={found} what="both accounts">
      {(plan) => (
        <>
          {plan.obstacles.length > 0 && (
            <Banner tone="warn" title="Not yet" role="status">
              {plan.obstacles.map((sentence) => (
                <p key={sentence}>{sentence}</p>
              ))}
            </Banner>
          )}
          <Comparison plan={plan} choices={choices} onChoose={setChoices} />
          <Consequences plan={plan} />
          <div className="buttons">
            {plan.obstacles.length === 0 && <Button onClick={() => setAsking(true)}>Merge the two accounts</Button>}
            <Button variant="line" onClick={onOther}>
              Choose another account
            </Button>
          </div>
          <ReasonDialog
            open={isAsking}
            onClose={() => setAsking(false)}
            title="Merge the two accounts?"
            doing={{ label: 'Merge them', busyLabel: 'Merging', isDanger: true }}
            send={async (reason) => {
              const body = { choices, reason, version: plan.version }
              await callAsOfficer(mergeMembers, { params, body })
              await navigate(`/console/members/${id}`)
            }}
          >
            <p>
              {plan.merged.name.first} {plan.merged.name.last} ({plan.merged.email}) becomes part of{' '}
              {plan.kept.name.first} {plan.kept.name.last} ({plan.kept.email}). You can undo it for {MERGE_UNDO_DAYS}{' '}
              days, as long as what moved was not changed.
            </p>
            <p>
              Log-in stays with {plan.kept.email} and the password of that account. To change its address, open the page
              of the member afterwards: the new address has to confirm it.
            </p>
          </ReasonDialog>
        </>
      )}
    </WhenLoaded>
  )
}

function Comparison({
  plan,
  choices,
  onChoose,
}: {
  plan: MergePlan
  choices: MergeChoices
  onChoose(choices: MergeChoices): void
}) {
  return (
    <Sheet title="Side by side">
      <div className="merge-sides">
        <Side title="This account stays" side={plan.kept} />
        <Side title="This one becomes part of it" side={plan.merged} />
      </div>
      <fieldset className="merge-choice">
        <legend>Name of the account afterwards</legend>
        {(['kept', 'merged'] as const).map((whose: Whose) => (
          <label key={whose}>
            <input
              type="radio"
              name="merge-name"
              checked={choices.name === whose}
              onChange={() => onChoose({ name: whose })}
            />
            <span className="break">
              {plan[whose].name.first} {plan[whose].name.last}
            </span>
          </label>
        ))}
      </fieldset>
    </Sheet>
  )
}

function Side({ title, side }: { title: string; side: MergeSide }) {
  return (
    <section>
      <h3>{title}</h3>
      <p>
        {side.name.first} {side.name.last} <MemberStateBadge state={side.state} />
      </p>
      <dl className="merge-facts">
        <dt>Email</dt>
        <dd className="break">{side.email}</dd>
        <dt>Username</dt>
        <dd className="break">{side.username}</dd>
        <dt>Joined</dt>
        <dd>{formatLongDate(side.joinedAt)}</dd>
        <dt>Membership</dt>
        <dd>{side.membership}</dd>
      </dl>
    </section>
  )
}

function Consequences({ plan: { moves, notes } }: { plan: MergePlan }) {
  return (
    <Sheet title="What happens">
      {moves.length > 0 ? (
        <>
          <p>To the account that stays move:</p>
          <ul>
            {moves.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </>
      ) : (
        <p>The other account holds nothing that would move.</p>
      )}
      {notes.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Sheet>
  )
}

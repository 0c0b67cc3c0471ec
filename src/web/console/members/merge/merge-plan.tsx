import { useState } from 'react'
import { useNavigate } from 'react-router'
import { formatLongDate } from '#contract/dates/dates.ts'
import {
  MERGE_UNDO_DAYS,
  mergeMembers,
  planMerge,
  type MergeChoices,
  type MergePlan,
  type MergeSide,
  type MergeSource,
} from '#contract/console/merge.ts'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { WhenLoaded } from '#web/console/shell/console-page.tsx'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { MemberStateBadge } from '../member/member-state.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'

const KEPT: MergeChoices = { name: 'kept' }

/** Compares two accounts, lists what moves and any obstacles, and confirms the merge. */
export function MergePlanCards({ id, otherId, onOther }: { id: string; otherId: string; onOther(): void }) {
  const [choices, setChoices] = useState(KEPT)
  const [isAsking, setAsking] = useState(false)
  const navigate = useNavigate()
  const params = { id, other: otherId }
  const found = useLoaded(planMerge, { params })
  return (
    <WhenLoaded loaded={found} what="accounts">
      {(plan) => (
        <>
          {plan.obstacles.length > 0 && (
            <Banner tone="warn" title="Can’t merge yet" role="status">
              {plan.obstacles.map((sentence) => (
                <p key={sentence}>{sentence}</p>
              ))}
            </Banner>
          )}
          <Comparison plan={plan} choices={choices} onChoose={setChoices} />
          <Consequences plan={plan} />
          <div className="buttons">
            {plan.obstacles.length === 0 && <Button onClick={() => setAsking(true)}>Merge accounts</Button>}
            <Button variant="line" onClick={onOther}>
              Choose another account
            </Button>
          </div>
          <ReasonDialog
            open={isAsking}
            onClose={() => setAsking(false)}
            title="Merge accounts?"
            doing={{ label: 'Merge', busyLabel: 'Merging', isDanger: true }}
            send={async (reason) => {
              const body = { choices, reason, version: plan.version }
              await callAsOfficer(mergeMembers, { params, body })
              await navigate(`/console/members/${id}`)
            }}
          >
            <p>
              {plan.merged.name.first} {plan.merged.name.last} ({plan.merged.email}) is merged into{' '}
              {plan.kept.name.first} {plan.kept.name.last} ({plan.kept.email}). You can undo this for {MERGE_UNDO_DAYS}{' '}
              days, as long as nothing that moved has changed.
            </p>
            <p>
              The member logs in with {plan.kept.email} and that account’s password. To change the address, use the
              member’s page afterwards; the new address has to confirm it.
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
    <Card title="Side by side">
      <div className="merge-sides">
        <Side title="This account stays" side={plan.kept} />
        <Side title="This account is merged into it" side={plan.merged} />
      </div>
      <fieldset className="merge-choice">
        <legend>Name after the merge</legend>
        {(['kept', 'merged'] as const).map((whose: MergeSource) => (
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
    </Card>
  )
}

function Side({ title, side }: { title: string; side: MergeSide }) {
  return (
    <section>
      <h3>{title}</h3>
      <p>
        {side.name.first} {side.name.last} <MemberStateBadge state={side.state} />
      </p>
      <dl className="merge-details">
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
    <Card title="What happens">
      {moves.length > 0 ? (
        <>
          <p>These move to the account that stays:</p>
          <ul>
            {moves.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      ) : (
        <p>The other account has nothing to move.</p>
      )}
      {notes.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Card>
  )
}

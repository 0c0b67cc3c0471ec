import { Fragment } from 'react'
import { REACH_REASON_NAMES, type MemberEmailDetail } from '#contract/console/emails/member-emails.ts'
import { Panel } from '../ui/panel.tsx'

const WAYS = [
  ['post', 'By post'],
  ['barred', 'Not written to'],
  ['leftOut', 'Left out'],
] as const

/** How the people on the list are reached: the ways add up to the list. */
export function ReachPanel({ email: { reach, audienceText, topic, mailing } }: { email: MemberEmailDetail }) {
  return (
    <Panel title="Who gets it">
      <p className="small soft">{audienceText}</p>
      <dl className="arithmetic">
        <dt>By email</dt>
        <dd>{number(reach.email)}</dd>
        {WAYS.filter(([way]) => reach[way] > 0 || (way === 'post' && topic === 'notice')).map(([way, label]) => (
          <Fragment key={way}>
            <dt>
              {label}
              <Reasons reach={reach} way={way === 'leftOut' ? 'left-out' : way} />
            </dt>
            <dd>{number(reach[way])}</dd>
          </Fragment>
        ))}
        <dt className="total">On the list</dt>
        <dd className="total">{number(reach.total)}</dd>
      </dl>
      <p className="small soft">
        {mailing ? 'As it was when sending began.' : 'As of now. The list is fixed when sending begins.'}
      </p>
    </Panel>
  )
}

function Reasons({ reach, way }: { reach: MemberEmailDetail['reach']; way: 'post' | 'barred' | 'left-out' }) {
  const reasons = reach.reasons.filter((one) => one.way === way)
  if (reasons.length === 0) return null
  return (
    <span className="reasons">
      {reasons.map(({ reason, count }) => `${REACH_REASON_NAMES[reason]} (${number(count)})`).join(', ')}
    </span>
  )
}

function number(count: number): string {
  return count.toLocaleString('en-US')
}

import { useState } from 'react'
import type { ConsoleMember } from '#contract/console/member.ts'
import { getPersonState, PERSON_STATE_NAMES, type PersonRecord } from '#contract/console/people/person-state.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import { WhenLoaded } from '#web/console/shell/console-page.tsx'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { Panel } from '#web/console/ui/panel.tsx'
import { Button } from '#web/ui/button.tsx'
import type { MemberEditor } from '../member/use-member.ts'
import { PersonStateDialogs, type PersonStateDialog } from './person-state-dialogs.tsx'

/** Whether the person is living, out of contact or deceased, what was reported, and what officers may do about it. */
export function PersonStatePanel({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  const loaded = useLoaded(getPersonState, { params: { id: member.id } })
  const [dialog, setDialog] = useState<PersonStateDialog | null>(null)
  return (
    <Panel title="Person">
      <WhenLoaded loaded={loaded} what="the person">
        {(record) => (
          <>
            <p>
              <strong>{PERSON_STATE_NAMES[record.state]}</strong>
              {record.decision && ` since ${formatDay(record.decision.since)}`}
            </p>
            <Decision record={record} />
            <Reports record={record} />
            <div className="buttons">
              {actionsOf(member, record).map(([name, label]) => (
                <Button key={name} variant="line" size="small" onClick={() => setDialog(name)}>
                  {label}
                </Button>
              ))}
            </div>
            <PersonStateDialogs
              member={member}
              record={record}
              dialog={dialog}
              onClose={() => setDialog(null)}
              onSaved={(changed, done) => {
                loaded.setValue(changed)
                desk.action.showDone(done)
                desk.loaded.reload()
                setDialog(null)
              }}
            />
          </>
        )}
      </WhenLoaded>
    </Panel>
  )
}

function Decision({ record: { state, decision } }: { record: PersonRecord }) {
  if (!decision) return null
  return (
    <>
      <p>
        Recorded by {decision.decidedBy} on {formatLongDate(decision.decidedAt)}.
        {state === 'lost' && ' Still a member, but not counted as reached.'}
      </p>
      <ul>
        {decision.sources.map((source) => (
          <li key={source} className="break">
            {source}
          </li>
        ))}
      </ul>
      {decision.undoUntil && <p>Can be undone until {formatLongDate(decision.undoUntil)}.</p>}
    </>
  )
}

function Reports({ record: { reports, decidableFrom } }: { record: PersonRecord }) {
  if (reports.length === 0) return null
  return (
    <>
      <p>Reported as deceased:</p>
      <ul>
        {reports.map(({ source, reportedBy, reportedAt }) => (
          <li key={`${source} ${reportedAt}`} className="break">
            {source} (reported on {formatLongDate(reportedAt)}
            {reportedBy && ` by ${reportedBy}`})
          </li>
        ))}
      </ul>
      <p>
        {decidableFrom === null
          ? 'Nothing changes yet. Two different sources are needed before the death can be recorded.'
          : `The death can be recorded from ${formatLongDate(decidableFrom)}, unless the person objects.`}
      </p>
    </>
  )
}

function actionsOf({ state: account }: ConsoleMember, record: PersonRecord): [PersonStateDialog, string][] {
  const { state, reports, decidableFrom, mayReport, mayDecide, decision } = record
  const isOpen = account !== 'LEFT' && account !== 'DISABLED' && state !== 'deceased'
  const isDecidable = decidableFrom !== null && Date.parse(decidableFrom) <= Date.now()
  const isUndoable = decision !== null && (decision.undoUntil === null || Date.parse(decision.undoUntil) > Date.now())
  return [
    ...(mayReport && isOpen ? [['report', 'Report a death'] as [PersonStateDialog, string]] : []),
    ...(mayReport && reports.length > 0 ? [['dismiss', 'Dismiss reports'] as [PersonStateDialog, string]] : []),
    ...(mayDecide && isOpen && isDecidable ? [['deceased', 'Record the death'] as [PersonStateDialog, string]] : []),
    ...(mayDecide && isOpen && state === 'living'
      ? [['lost', 'Record lost contact'] as [PersonStateDialog, string]]
      : []),
    ...(mayDecide && account !== 'LEFT' && isUndoable ? [['living', 'Undo'] as [PersonStateDialog, string]] : []),
  ]
}

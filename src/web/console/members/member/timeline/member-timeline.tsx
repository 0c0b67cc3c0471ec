import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { openReceipt, resendEmail, type ConsoleMember } from '#contract/console/member.ts'
import { deleteMemberNote, restoreMemberNote, type MemberNote } from '#contract/console/people/member-notes.ts'
import {
  EMAIL_STATE_NAMES,
  TIMELINE_FILTERS,
  type TimelineEntry,
  type TimelineKind,
} from '#contract/console/people/member-timeline.ts'
import { callAsOfficer, officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { WhenLoaded } from '#web/console/shell/console-page.tsx'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import type { IconName } from '#web/console/ui/console-icons.ts'
import { Panel } from '#web/console/ui/panel.tsx'
import { Timeline } from '#web/console/ui/timeline.tsx'
import { showToast } from '#web/console/ui/toasts.tsx'
import { downloadFile } from '#web/shared/download-file.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { memberRights } from '../member-rights.rules.ts'
import type { MemberEditor } from '../use-member.ts'
import { AddNoteForm, EditNoteForm } from './note-forms.tsx'
import { byDay, timeText } from './timeline-days.rules.ts'
import { useTimeline } from './use-timeline.ts'

const FILTER_NAMES = { all: 'All', payments: 'Payments', emails: 'Emails', notes: 'Notes' }

const ICON_OF: Record<TimelineKind, IconName> = {
  payment: 'card',
  refund: 'undo',
  email: 'mail',
  newsletter: 'mail',
  event: 'calendar',
  'check-in': 'scan',
  credentials: 'credential',
  membership: 'cycle',
  message: 'chat',
  account: 'user',
  note: 'note',
}

const STATE_TONES = { queued: 'quiet', delivered: 'ok', bounced: 'bad', failed: 'bad', dropped: 'quiet' } as const

/** Everything that concerns the member, newest first, and the officers' notes. */
export function MemberTimeline({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  const [params, setParams] = useSearchParams()
  const show = TIMELINE_FILTERS.find((one) => one === params.get('show')) ?? 'all'
  const timeline = useTimeline(member.id, show)
  const [now] = useState(Date.now)
  const rights = memberRights(member)
  const reload = timeline.first.reload
  const reloadAfterChange = useEffectEvent(reload)
  const shownMember = useRef(member)

  // An action on the member may have added entries.
  useEffect(() => {
    if (shownMember.current === member) return
    shownMember.current = member
    reloadAfterChange()
  }, [member])

  function choose(filter: (typeof TIMELINE_FILTERS)[number]) {
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        if (filter === 'all') next.delete('show')
        else next.set('show', filter)
        return next
      },
      { preventScrollReset: true },
    )
  }

  return (
    <Panel
      title="Timeline"
      {...(member.history.length > 0 && {
        footer: <Link to={`/console/history?person=${member.id}`}>Show all changes in the audit log</Link>,
      })}
      action={
        <div className="segments" role="group" aria-label="Show">
          {TIMELINE_FILTERS.filter((filter) => filter !== 'payments' || member.payments !== null).map((filter) => (
            <button key={filter} type="button" aria-pressed={filter === show} onClick={() => choose(filter)}>
              {FILTER_NAMES[filter]}
            </button>
          ))}
        </div>
      }
    >
      {rights.note && (show === 'all' || show === 'notes') && (
        <AddNoteForm
          id={member.id}
          onAdded={() => {
            showToast('Note added.')
            reload()
          }}
        />
      )}
      <WhenLoaded loaded={timeline.first} what="the timeline">
        {() => (
          <div aria-busy={timeline.first.isStale}>
            {timeline.entries.length === 0 && <p className="soft">Nothing here yet.</p>}
            <Timeline
              days={byDay(timeline.entries, now).map(({ heading, entries }) => ({
                heading,
                entries: entries.map((entry) => ({
                  id: entry.id,
                  icon: entry.state === 'bounced' || entry.state === 'failed' ? 'alert' : ICON_OF[entry.kind],
                  text: <EntryText entry={entry} member={member} desk={desk} />,
                  when: [timeText(entry.at), entry.detail].filter(Boolean).join(', '),
                  ...(entry.note && { quote: <Note member={member} note={entry.note} onChanged={reload} /> }),
                  ...(entry.changes.length > 0 && { quote: <Changes changes={entry.changes} /> }),
                })),
              }))}
            />
            {timeline.failure && (
              <Banner tone="bad" role="alert">
                {timeline.failure}
              </Banner>
            )}
            {timeline.hasMore && (
              <Button
                variant="line"
                size="small"
                busy={timeline.isLoadingMore}
                busyLabel="Loading"
                onClick={() => void timeline.showMore()}
              >
                Show earlier
              </Button>
            )}
          </div>
        )}
      </WhenLoaded>
    </Panel>
  )
}

function EntryText({ entry, member, desk }: { entry: TimelineEntry; member: ConsoleMember; desk: MemberEditor }) {
  const { text, state, receipt, failedEmail: emailId } = entry
  return (
    <>
      {text.before}
      {text.path ? <Link to={text.path}>{text.name}</Link> : text.name}
      {text.after}
      {state && (
        <>
          {' '}
          <Badge tone={STATE_TONES[state]}>{EMAIL_STATE_NAMES[state]}</Badge>
        </>
      )}
      {receipt && member.payments !== null && (
        <>
          {', receipt '}
          <button
            type="button"
            className="text-button"
            onClick={() =>
              void desk.action.run(`open ${receipt.paymentId}`, async () =>
                downloadFile(
                  await callAsOfficer(openReceipt, { params: { id: member.id, payment: receipt.paymentId } }),
                  `receipt-${receipt.number}.pdf`,
                ),
              )
            }
          >
            {receipt.number}
          </button>
        </>
      )}
      {emailId && member.mayChange && (
        <>
          {' '}
          <button
            type="button"
            className="text-button"
            onClick={() =>
              void desk.runAction(
                emailId,
                () => saveAsOfficer(resendEmail, { params: { id: member.id, letter: emailId }, body: {} }),
                'The email is being sent again.',
              )
            }
          >
            Try again
          </button>
        </>
      )}
    </>
  )
}

function Changes({ changes }: { changes: TimelineEntry['changes'] }) {
  return changes.map(({ label, before, after }) => (
    <div key={label}>
      {label}: {before !== null && <del>{before}</del>} {after ?? 'none'}
    </div>
  ))
}

function Note({ member: { id }, note, onChanged }: { member: ConsoleMember; note: MemberNote; onChanged(): void }) {
  const [isEditing, setEditing] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const params = { id, note: note.id }

  async function remove() {
    setFailure(null)
    try {
      await callAsOfficer(deleteMemberNote, { params })
    } catch (cause) {
      return setFailure(officerErrorMessage(cause))
    }
    onChanged()
    showToast('Note deleted.', {
      undo: async () => {
        await callAsOfficer(restoreMemberNote, { params, body: {} })
        onChanged()
      },
    })
  }

  if (isEditing) {
    return (
      <EditNoteForm
        id={id}
        note={note}
        onDone={(isChanged) => {
          setEditing(false)
          if (isChanged) onChanged()
        }}
      />
    )
  }
  return (
    <>
      {note.text}
      {note.editedAt && <span className="timeline-when"> (edited)</span>}
      {(note.mayEdit || note.mayDelete) && (
        <span className="note-acts">
          {note.mayEdit && (
            <button type="button" className="text-button" onClick={() => setEditing(true)}>
              Edit
            </button>
          )}
          {note.mayDelete && (
            <button type="button" className="text-button" onClick={() => void remove()}>
              Delete
            </button>
          )}
        </span>
      )}
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
    </>
  )
}

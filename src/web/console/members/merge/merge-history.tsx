import { useState } from 'react'
import { Link } from '#web/ui/link.tsx'
import type { ConsoleMember } from '#contract/console/member.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { undoMerge } from '#contract/console/merge.ts'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Panel } from '#web/console/ui/panel.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'
import type { MemberEditor } from '../member/use-member.ts'

type Merge = ConsoleMember['merges'][number]

/** Says which account this one was merged into. */
export function MergedBanner({ member }: { member: ConsoleMember }) {
  const into = member.merges.find(({ isKept, undoneAt }) => !isKept && undoneAt === null)
  if (!into) return null
  return (
    <Banner tone="note" title="This account was merged">
      <p>
        On {formatLongDate(into.at)} it was merged into{' '}
        <Link to={`/console/members/${into.other.id}`}>
          {into.other.name}, {into.other.email}
        </Link>
        . It can no longer be used to log in.
      </p>
    </Banner>
  )
}

/** Merged accounts with undo, and a link to merge another. */
export function MemberMerges({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  const [asking, setAsking] = useState<Merge | null>(null)
  const { id, merges, mayChange, state } = member
  const isOpen = state !== 'DISABLED' && state !== 'DECEASED' && state !== 'LEFT'
  if (!mayChange && merges.length === 0) return null
  return (
    <Panel title="Merged accounts">
      {merges.length === 0 && <p>Does this member have two accounts? Merge them.</p>}
      <ul className="records">
        {merges.map((merge) => (
          <li key={merge.id}>
            <div>
              <p>
                {merge.isKept ? 'Merged with ' : 'Merged into '}
                <Link to={`/console/members/${merge.other.id}`}>
                  {merge.other.name}, {merge.other.email}
                </Link>
              </p>
              <p className="small soft">
                {formatLongDate(merge.at)} · {merge.by}
                {merge.undoneAt && ` · undone ${formatLongDate(merge.undoneAt)}`}
                {merge.undoUntil &&
                  merge.undoRefused === null &&
                  ` · can be undone until ${formatLongDate(merge.undoUntil)}`}
              </p>
              {merge.undoRefused && <p className="small">{merge.undoRefused}</p>}
            </div>
            {mayChange && merge.undoUntil && merge.undoRefused === null && (
              <Button
                variant="line"
                size="small"
                aria-label={`Undo the merge with ${merge.other.email}`}
                onClick={() => setAsking(merge)}
              >
                Undo
              </Button>
            )}
          </li>
        ))}
      </ul>
      {mayChange && isOpen && (
        <ButtonLink variant="line" size="small" to={`/console/members/${id}/merge`}>
          Merge accounts
        </ButtonLink>
      )}
      <ReasonDialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        title="Undo the merge?"
        doing={{ label: 'Undo the merge', busyLabel: 'Undoing' }}
        send={async (reason) => {
          if (!asking) return
          const params = { id, merge: asking.id }
          desk.loaded.setValue(await callAsOfficer(undoMerge, { params, body: { reason } }))
          setAsking(null)
        }}
      >
        {asking && (
          <>
            <p>
              Both accounts are restored to their state before {formatLongDate(asking.at)}
              {asking.moved.length > 0 && `, and these move back: ${asking.moved.join('; ')}`}. The other account is
              open again, with its own address and password.
            </p>
            <p>
              Both are signed out everywhere and get an email. If the password or second factor of the account that
              stayed changed since, its owner has to choose a new password.
            </p>
            <p>Anything newer, such as payments, stays with the account it was made for.</p>
          </>
        )}
      </ReasonDialog>
    </Panel>
  )
}

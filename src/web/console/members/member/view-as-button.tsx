import { useState } from 'react'
import type { ConsoleMember } from '#contract/console/member.ts'
import { beginViewAs } from '#contract/console/view-as.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { openMemberView } from '#web/session/member-view.ts'
import { Button } from '#web/ui/button.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'

const NOT_KEPT =
  'Your browser blocks site data for this tab, so the view cannot be shown safely. Allow site data for our website, or use another browser.'

/** Opens the site as this member sees it, in this tab. */
export function ViewAsButton({ member, accountPath }: { member: ConsoleMember; accountPath: string }) {
  const [isAsking, setAsking] = useState(false)
  const { id, name } = member
  return (
    <>
      <Button variant="line" size="small" onClick={() => setAsking(true)}>
        View site as member
      </Button>
      <ReasonDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`View site as ${name.first} ${name.last}?`}
        doing={{ label: 'View site', busyLabel: 'Opening' }}
        send={async (reason) => {
          const view = await callAsOfficer(beginViewAs, { params: { id }, body: { reason } })
          if (!openMemberView(view, accountPath)) throw new CallFailure({ status: 409, sentence: NOT_KEPT })
        }}
      >
        <p>
          You see what this member sees, in this tab, for 15 minutes. You can’t change anything, and passwords, devices
          and the data download are hidden.
        </p>
        <p>
          The audit log records your name and the reason. The member can see the time and reason in their data download.
        </p>
      </ReasonDialog>
    </>
  )
}

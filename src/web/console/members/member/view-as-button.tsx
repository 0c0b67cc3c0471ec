import { useState } from 'react'
import type { ConsoleMember } from '#contract/console-member.ts'
import { beginViewAs } from '#contract/console-view-as.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { openView } from '#web/features/auth/view.ts'
import { Button } from '#web/ui/button.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

const NOT_KEPT =
  'Your browser keeps nothing for this tab, so the view cannot be shown safely. Allow site data for our website, or use another browser.'

/** Opens the site as this person sees it, in this tab. */
export function ViewAsButton({ member, accountPath }: { member: ConsoleMember; accountPath: string }) {
  const [isAsking, setAsking] = useState(false)
  const { id, name } = member
  return (
    <>
      <Button variant="line" size="small" onClick={() => setAsking(true)}>
        View the site as this member
      </Button>
      <ReasonDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`See the site as ${name.first} ${name.last}?`}
        doing={{ label: 'Open the view', busyLabel: 'Opening the view' }}
        send={async (reason) => {
          const view = await callAsOfficer(beginViewAs, { params: { id }, body: { reason } })
          if (!openView(view, accountPath)) throw new CallFailure({ status: 409, sentence: NOT_KEPT })
        }}
      >
        <p>
          You see what this member sees, for 15 minutes and in this tab. Nothing can be changed. Passwords, devices and
          the download of the data stay closed.
        </p>
        <p>
          The history keeps your name and the reason; the member finds time and reason in the download of their data.
        </p>
      </ReasonDialog>
    </>
  )
}

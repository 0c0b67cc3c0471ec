import type { ConsoleMember } from '#contract/console/member.ts'
import { disableMember, stopRenewal } from '#contract/console/member.ts'
import { beginViewAs } from '#contract/console/view-as.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { paths } from '#web/app/paths.ts'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { Drawer } from '#web/console/ui/drawer.tsx'
import { showToast } from '#web/console/ui/toasts.tsx'
import { openMemberView } from '#web/session/member-view.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'
import { ChangeEmailForm } from './change-email-form.tsx'
import { EditMemberForm } from './edit-member-form.tsx'
import { EndMemberForm } from './end-member-form.tsx'
import { memberRights } from './member-rights.rules.ts'
import { TermForm } from './member-term-forms.tsx'
import type { MemberEditor } from './use-member.ts'

const NOT_KEPT =
  'Your browser blocks site data for this tab, so the view cannot be shown safely. Allow site data for our website, or use another browser.'

/** The drawers and dialogs of a member's page; one at a time is open. */
export function MemberDialogs({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  const { id, name, version, state, endsAt } = member
  const fullName = `${name.first} ${name.last}`
  const params = { id }
  const rights = memberRights(member)
  const close = desk.closeDialog
  const open = desk.dialog !== null && rights[desk.dialog] ? desk.dialog : null

  function take(changed: ConsoleMember, done: string) {
    desk.loaded.setValue(changed)
    showToast(done)
    close()
  }

  /** Says on the page what happens next, which takes longer to read than a toast stays. */
  function explain(changed: ConsoleMember, done: string) {
    desk.loaded.setValue(changed)
    desk.action.showDone(done)
    close()
  }

  return (
    <>
      <Drawer open={open === 'term'} onClose={close} title="Grant complimentary term">
        {open === 'term' && <TermForm member={member} onSaved={(changed) => take(changed, 'Term saved.')} />}
      </Drawer>
      <Drawer open={open === 'edit'} onClose={close} title="Edit profile">
        {open === 'edit' && (
          <EditMemberForm
            member={member}
            onSaved={(changed) => take(changed, 'Profile saved.')}
            onChangeEmail={rights.email ? () => desk.openDialog('email') : null}
          />
        )}
      </Drawer>
      <Drawer open={open === 'email'} onClose={close} title="Change email address">
        {open === 'email' && <ChangeEmailForm member={member} onSaved={explain} />}
      </Drawer>
      <Dialog open={open === 'end'} onClose={close} title={`End account of ${fullName}`} width="36rem">
        {open === 'end' && <EndMemberForm member={member} onSaved={explain} />}
      </Dialog>
      <ReasonDialog
        open={open === 'stop'}
        onClose={close}
        title="Stop renewal?"
        doing={{ label: 'Stop renewal', busyLabel: 'Stopping', isDanger: true }}
        send={async (reason) =>
          take(await saveAsOfficer(stopRenewal, { params, body: { reason, version } }), 'Renewal stopped.')
        }
      >
        <p>
          {state === 'PAST_DUE'
            ? 'Nothing more is charged, and the open payment is canceled. The membership ends immediately.'
            : `Nothing more is charged. The membership ends ${endsAt ? `on ${formatLongDate(endsAt)}` : 'with the paid term'}; the member can resume the renewal until then.`}{' '}
          The member gets an email.
        </p>
      </ReasonDialog>
      <ReasonDialog
        open={open === 'disable'}
        onClose={close}
        title="Disable this account?"
        doing={{ label: 'Disable account', busyLabel: 'Disabling', isDanger: true }}
        send={async (reason) =>
          take(await saveAsOfficer(disableMember, { params, body: { reason } }), 'Account disabled.')
        }
      >
        <p>
          {fullName} is signed out everywhere and cannot log in until an officer enables the account. Nothing more is
          charged; the paid term still runs to its end.
        </p>
      </ReasonDialog>
      <ReasonDialog
        open={open === 'view'}
        onClose={close}
        title={`View site as ${fullName}?`}
        doing={{ label: 'View site', busyLabel: 'Opening' }}
        send={async (reason) => {
          const view = await callAsOfficer(beginViewAs, { params, body: { reason } })
          if (!openMemberView(view, paths.account())) throw new CallFailure({ status: 409, sentence: NOT_KEPT })
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

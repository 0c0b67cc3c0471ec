import type { ConsoleMember } from '#contract/console/member.ts'
import {
  dismissDeathReports,
  personStateLimits,
  reportDeath,
  setPersonState,
  type PersonRecord,
  type PersonState,
} from '#contract/console/people/person-state.ts'
import { DraftFormMessages } from '#web/console/forms/draft-form-messages.tsx'
import { useDraftForm } from '#web/console/forms/use-draft-form.ts'
import { officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { validate } from '#web/forms/validate.rules.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'

export type PersonStateDialog = 'report' | 'dismiss' | PersonState

interface PersonStateDialogsProps {
  member: ConsoleMember
  record: PersonRecord
  dialog: PersonStateDialog | null
  onClose(): void
  onSaved(record: PersonRecord, done: string): void
}

/** Asks before an officer reports, records or undoes something about a person. */
export function PersonStateDialogs({ member, record, dialog, onClose, onSaved }: PersonStateDialogsProps) {
  const { id, name } = member
  const fullName = `${name.first} ${name.last}`
  const params = { id }

  return (
    <>
      <Dialog open={dialog === 'report'} onClose={onClose} title={`Report that ${fullName} died`} width="34rem">
        {dialog === 'report' && <ReportForm id={id} onSaved={onSaved} />}
      </Dialog>
      <Dialog open={dialog === 'deceased'} onClose={onClose} title={`Record that ${fullName} died?`} width="34rem">
        {dialog === 'deceased' && (
          <>
            <p>
              The account is closed to log-ins, and the directory and the card no longer show it. A recurring payment
              ends now. No email of any kind is sent to this person again.
            </p>
            <p>You can undo it for {personStateLimits.undoDays} days; an ended payment stays ended.</p>
            <StateForm id={id} state="deceased" seen={record.state} label="Day of death, if known" onSaved={onSaved} />
          </>
        )}
      </Dialog>
      <Dialog open={dialog === 'lost'} onClose={onClose} title={`Record lost contact with ${fullName}?`} width="34rem">
        {dialog === 'lost' && (
          <>
            <p>
              {fullName} stays a member with all rights, but is not counted as reached. An answer to a roll call ends
              it.
            </p>
            <StateForm id={id} state="lost" seen={record.state} label="Since, if known" onSaved={onSaved} />
          </>
        )}
      </Dialog>
      <ReasonDialog
        open={dialog === 'dismiss'}
        onClose={onClose}
        title="Dismiss the reports?"
        doing={{ label: 'Dismiss reports', busyLabel: 'Dismissing' }}
        send={async (reason) =>
          onSaved(await saveAsOfficer(dismissDeathReports, { params, body: { reason } }), 'Reports dismissed.')
        }
      >
        <p>The reports that {fullName} died no longer count. The audit log keeps them.</p>
      </ReasonDialog>
      <ReasonDialog
        open={dialog === 'living'}
        onClose={onClose}
        title="Undo what was recorded?"
        doing={{ label: 'Undo', busyLabel: 'Undoing' }}
        send={async (reason) =>
          onSaved(
            await saveAsOfficer(setPersonState, { params, body: { state: 'living', seen: record.state, reason } }),
            record.decision?.endedRenewal
              ? 'Undone. The recurring payment stays ended; the member has to renew.'
              : 'Undone. Everything is as it was.',
          )
        }
      >
        <p>
          {record.state === 'lost'
            ? `${fullName} counts as reached again.`
            : `${fullName} can log in again, and directory, card and emails are as before. The person gets an email.`}
          {record.decision?.endedRenewal && ' The recurring payment stays ended.'}
        </p>
      </ReasonDialog>
    </>
  )
}

type Saved = PersonStateDialogsProps['onSaved']

const REPORT = { source: 'How you know' }

function ReportForm({ id, onSaved }: { id: string; onSaved: Saved }) {
  const form = useDraftForm(`death-report:${id}`, {
    fields: REPORT,
    errorMessage: officerErrorMessage,
    check: ({ source }) => (reportDeath.body ? validate(reportDeath.body, { source }) : {}),
    async send({ source }) {
      const record = await saveAsOfficer(reportDeath, { params: { id }, body: { source } })
      onSaved(record, 'Reported. Nothing has changed; the account gets an email so that the person can object.')
    },
  })
  return (
    <form {...form.props}>
      <p>
        A report changes nothing. The account gets an email with a button to object within{' '}
        {personStateLimits.objectionDays} days.
      </p>
      <DraftFormMessages form={form} />
      <Field
        {...form.field('source')}
        maxLength={personStateLimits.sourceMax}
        autoComplete="off"
        hint="For example, “Obituary in the Macon Telegraph, November 3”, or who called."
      />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Reporting">
        Report
      </Button>
    </form>
  )
}

interface StateFormProps {
  id: string
  state: 'lost' | 'deceased'
  seen: PersonState
  /** Of the day. */
  label: string
  onSaved: Saved
}

function StateForm({ id, state, seen, label, onSaved }: StateFormProps) {
  const bodyOf = ({ since = '', reason = '' }: Partial<Record<'since' | 'reason', string>>) => ({
    state,
    seen,
    reason,
    ...(since !== '' && { since }),
  })
  const form = useDraftForm(`person-state:${state}:${id}`, {
    fields: { since: label, reason: 'Reason for the audit log' },
    errorMessage: officerErrorMessage,
    check: (values) => (setPersonState.body ? validate(setPersonState.body, bodyOf(values)) : {}),
    async send(values) {
      const record = await saveAsOfficer(setPersonState, { params: { id }, body: bodyOf(values) })
      onSaved(record, state === 'lost' ? 'Lost contact recorded.' : 'The death is recorded.')
    },
  })
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <Field {...form.field('since')} type="date" />
      <Field {...form.field('reason')} maxLength={300} autoComplete="off" />
      <Button
        type="submit"
        variant={state === 'deceased' ? 'danger' : 'solid'}
        busy={form.isSubmitting}
        busyLabel="Saving"
      >
        {state === 'deceased' ? 'Record the death' : 'Record lost contact'}
      </Button>
    </form>
  )
}

import {
  askAboutCredential,
  confirmCredential,
  decideCredential,
  EVIDENCE_KINDS,
  revokeCredential,
  type CredentialRecheck,
  type CredentialDeskLists,
  type PendingCredential,
} from '#contract/console/credentials.ts'
import { callAsOfficer, officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { saveOrReloadOnConflict } from '#web/console/forms/edit-conflicts.ts'
import { DraftFormMessages } from '#web/console/forms/draft-form-messages.tsx'
import { useDraftForm } from '#web/console/forms/use-draft-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, FieldBox, TextArea } from '#web/ui/field.tsx'
import { joinLines } from '#web/forms/join-lines.ts'

/** An action that requires a text from the officer. */
type TextAction =
  | { act: 'approve' | 'decline'; credential: PendingCredential }
  | { act: 'ask'; credential: PendingCredential | CredentialRecheck }
  | { act: 'withdraw'; credential: CredentialRecheck }

/** The selected action; `until` confirms training with a new end date. */
export type CredentialAction = TextAction | { act: 'until'; credential: CredentialRecheck }

export const CREDENTIAL_ACTION_TITLES: Record<CredentialAction['act'], string> = {
  approve: 'Approve credentials',
  decline: 'Decline credentials',
  ask: 'Ask the member',
  withdraw: 'Revoke approval',
  until: 'Confirm training',
}

interface FormText {
  lead: string
  label: string
  button: string
  isDanger?: boolean
}

const FORM_TEXT: Record<TextAction['act'], FormText> = {
  approve: {
    lead: 'The member is emailed. You can revoke this later; they will be emailed again.',
    label: 'Evidence',
    button: 'Approve',
  },
  decline: {
    lead: 'The member is emailed, and can submit again.',
    label: 'Reason (shown to the member)',
    button: 'Decline',
    isDanger: true,
  },
  ask: {
    lead: 'The member is emailed your question and sees it on the account page. Approved credentials stay approved meanwhile.',
    label: 'Question (shown to the member)',
    button: 'Send question',
  },
  withdraw: {
    lead: 'The member is emailed the reason and can submit again. The membership is not affected.',
    label: 'Reason (shown to the member)',
    button: 'Revoke',
    isDanger: true,
  },
}

interface DeskFormProps {
  doing: CredentialAction
  onDone(lists: CredentialDeskLists): void
  reload(): void
}

/** The form of one action. Input survives a closed tab. */
export function CredentialActionForm({ doing, onDone, reload }: DeskFormProps) {
  return doing.act === 'until' ? (
    <UntilForm credential={doing.credential} onDone={onDone} reload={reload} />
  ) : (
    <TextActionForm doing={doing} text={FORM_TEXT[doing.act]} onDone={onDone} reload={reload} />
  )
}

const SENTENCE_FIELDS = ['evidenceKind', 'evidence', 'question', 'reason'] as const
const FIELD_OF = { approve: 'evidence', decline: 'evidence', ask: 'question', withdraw: 'reason' } as const

function TextActionForm({
  doing,
  text: { lead, label, button, isDanger },
  onDone,
  reload,
}: {
  doing: TextAction
  text: FormText
  onDone(lists: CredentialDeskLists): void
  reload(): void
}) {
  const { act, credential } = doing
  const name = FIELD_OF[act]
  const requiresKind = act === 'approve' && credential.kind !== 'licence'
  const form = useDraftForm(`${act}:${credential.id}`, {
    order: SENTENCE_FIELDS,
    errorMessage: officerErrorMessage,
    send: async (values) => onDone(await saveOrReloadOnConflict(reload, () => send(doing, values))),
  })
  const { evidenceKind: kindError } = form.errors
  const error = form.errors[name]
  return (
    <form {...form.props}>
      <p>
        <strong>{credential.name}</strong>, {credentialText(credential)}. {lead}
      </p>
      <DraftFormMessages form={form} />
      {requiresKind && (
        <FieldBox id="field-evidenceKind" label="Kind of evidence" {...(kindError && { error: kindError })}>
          <select className="input" id="field-evidenceKind" name="evidenceKind" defaultValue="">
            <option value="">Choose</option>
            {Object.entries(EVIDENCE_KINDS).map(([kind, kindName]) => (
              <option key={kind} value={kind}>
                {kindName}
              </option>
            ))}
          </select>
        </FieldBox>
      )}
      <TextArea label={label} name={name} rows={2} maxLength={500} autoComplete="off" {...(error && { error })} />
      <Button type="submit" variant={isDanger ? 'danger' : 'solid'} busy={form.isSubmitting} busyLabel="Saving">
        {button}
      </Button>
    </form>
  )
}

type Values = Record<(typeof SENTENCE_FIELDS)[number], string>

function send(doing: TextAction, { evidence, evidenceKind, question, reason }: Values): Promise<CredentialDeskLists> {
  const params = { id: doing.credential.id }
  if (doing.act === 'ask') return callAsOfficer(askAboutCredential, { params, body: { question: joinLines(question) } })
  if (doing.act === 'withdraw') {
    const { lookedAt } = doing.credential
    return callAsOfficer(revokeCredential, { params, body: { lookedAt, reason: joinLines(reason) } })
  }
  const kind = evidenceKind as keyof typeof EVIDENCE_KINDS | ''
  return callAsOfficer(decideCredential, {
    params,
    body: {
      decision: doing.act === 'approve' ? 'approved' : 'declined',
      evidence: joinLines(evidence),
      ...(doing.act === 'approve' && kind && { evidenceKind: kind }),
    },
  })
}

const UNTIL_FIELDS = ['endsOn'] as const

interface UntilFormProps extends Omit<DeskFormProps, 'doing'> {
  credential: CredentialRecheck
}

function UntilForm({ credential, onDone, reload }: UntilFormProps) {
  const form = useDraftForm(`until:${credential.id}`, {
    order: UNTIL_FIELDS,
    errorMessage: officerErrorMessage,
    send: async ({ endsOn }) => onDone(await saveOrReloadOnConflict(reload, () => confirmRecheck(credential, endsOn))),
  })
  const { endsOn: error } = form.errors
  return (
    <form {...form.props}>
      <p>
        Is <strong>{credential.name}</strong> still at {credential.place}? Enter the expected end date.
      </p>
      <DraftFormMessages form={form} />
      <Field label="End of training" name="endsOn" type="date" {...(error && { error })} />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Saving">
        Confirm
      </Button>
    </form>
  )
}

/** Sends no email. The next recheck is due in a year, or when the training ends. */
export function confirmRecheck({ id, lookedAt }: CredentialRecheck, endsOn?: string): Promise<CredentialDeskLists> {
  return callAsOfficer(confirmCredential, {
    params: { id },
    body: { lookedAt, ...(endsOn === undefined ? {} : { endsOn }) },
  })
}

function credentialText({ kind, npi, place }: Pick<PendingCredential, 'kind' | 'npi' | 'place'>): string {
  if (kind === 'licence') return `NPI ${npi}`
  return `${kind === 'student' ? 'student' : 'resident or fellow'} at ${place}`
}

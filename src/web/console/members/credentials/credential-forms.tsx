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
import { kindOf, listLabel, type CredentialKind } from '#contract/credentials/credential-kinds.ts'
import { credentialSummary } from '#contract/credentials/shown-answers.ts'
import { officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { DraftFormMessages } from '#web/console/forms/draft-form-messages.tsx'
import { SelectField } from '#web/console/forms/select-field.tsx'
import { useDraftForm } from '#web/console/forms/use-draft-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, TextArea } from '#web/ui/field.tsx'
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
  kinds: readonly CredentialKind[]
  onDone(lists: CredentialDeskLists): void
}

/** The form of one action. Input survives a closed tab. */
export function CredentialActionForm({ doing, kinds, onDone }: DeskFormProps) {
  return doing.act === 'until' ? (
    <UntilForm credential={doing.credential} kinds={kinds} onDone={onDone} />
  ) : (
    <TextActionForm doing={doing} kinds={kinds} text={FORM_TEXT[doing.act]} onDone={onDone} />
  )
}

const TEXT_FIELDS = {
  evidenceKind: 'Kind of evidence',
  evidence: 'Evidence',
  question: 'Question',
  reason: 'Reason',
}
const KIND_OPTIONS = [['', 'Choose'], ...Object.entries(EVIDENCE_KINDS)] as const
const FIELD_OF = { approve: 'evidence', decline: 'evidence', ask: 'question', withdraw: 'reason' } as const

function TextActionForm({
  doing,
  kinds,
  text: { lead, label, button, isDanger },
  onDone,
}: {
  doing: TextAction
  kinds: readonly CredentialKind[]
  text: FormText
  onDone(lists: CredentialDeskLists): void
}) {
  const { act, credential } = doing
  const name = FIELD_OF[act]
  const kind = kindOf(kinds, credential.kind)
  const requiresKind = act === 'approve' && kind.proof !== null
  const form = useDraftForm(`${act}:${credential.id}`, {
    fields: TEXT_FIELDS,
    errorMessage: officerErrorMessage,
    send: async (values) => onDone(await send(doing, values)),
  })
  return (
    <form {...form.props}>
      <p>
        <strong>{credential.name}</strong>, {credentialSummary(kind, credential).join(', ')}. {lead}
      </p>
      <DraftFormMessages form={form} />
      {requiresKind && <SelectField {...form.field('evidenceKind')} options={KIND_OPTIONS} />}
      <TextArea {...form.field(name)} label={label} rows={2} maxLength={500} autoComplete="off" />
      <Button type="submit" variant={isDanger ? 'danger' : 'solid'} busy={form.isSubmitting} busyLabel="Saving">
        {button}
      </Button>
    </form>
  )
}

type Values = Record<keyof typeof TEXT_FIELDS, string>

function send(doing: TextAction, { evidence, evidenceKind, question, reason }: Values): Promise<CredentialDeskLists> {
  const params = { id: doing.credential.id }
  if (doing.act === 'ask') return saveAsOfficer(askAboutCredential, { params, body: { question: joinLines(question) } })
  if (doing.act === 'withdraw') {
    const { lookedAt } = doing.credential
    return saveAsOfficer(revokeCredential, { params, body: { lookedAt, reason: joinLines(reason) } })
  }
  const kind = evidenceKind as keyof typeof EVIDENCE_KINDS | ''
  return saveAsOfficer(decideCredential, {
    params,
    body: {
      decision: doing.act === 'approve' ? 'approved' : 'declined',
      evidence: joinLines(evidence),
      ...(doing.act === 'approve' && kind && { evidenceKind: kind }),
    },
  })
}

interface UntilFormProps extends Omit<DeskFormProps, 'doing'> {
  credential: CredentialRecheck
}

function UntilForm({ credential, kinds, onDone }: UntilFormProps) {
  const end = kindOf(kinds, credential.kind).fields.find(({ check }) => check === 'end')
  const form = useDraftForm(`until:${credential.id}`, {
    fields: { endsOn: end ? listLabel(end) : 'End of training' },
    errorMessage: officerErrorMessage,
    send: async ({ endsOn }) => onDone(await confirmRecheck(credential, endsOn)),
  })
  return (
    <form {...form.props}>
      <p>
        Is <strong>{credential.name}</strong> still {credential.place ? `at ${credential.place}` : 'in training'}? Enter
        the expected end date.
      </p>
      <DraftFormMessages form={form} />
      <Field {...form.field('endsOn')} type="date" />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Saving">
        Confirm
      </Button>
    </form>
  )
}

/** Sends no email. The next recheck is due after the months of the setting, or when the training ends. */
export function confirmRecheck({ id, lookedAt }: CredentialRecheck, endsOn?: string): Promise<CredentialDeskLists> {
  return saveAsOfficer(confirmCredential, {
    params: { id },
    body: { lookedAt, ...(endsOn === undefined ? {} : { endsOn }) },
  })
}

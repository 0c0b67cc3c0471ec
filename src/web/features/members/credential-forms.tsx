import {
  askAboutCredential,
  confirmCredential,
  decideCredential,
  EVIDENCE_KINDS,
  withdrawCredential,
  type AgainCredential,
  type DeskLists,
  type WaitingCredential,
} from '#contract/console-credentials.ts'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { heedOthers } from '#web/features/console/heed-others.ts'
import { KeptFormMessages } from '#web/features/console/kept-form-messages.tsx'
import { useKeptForm } from '#web/features/console/use-kept-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, FieldBox, TextArea } from '#web/ui/field.tsx'
import { oneLine } from '#web/features/forms/one-line.ts'

/** What needs a sentence of the officer's. */
type SentenceAct =
  | { act: 'approve' | 'decline'; credential: WaitingCredential }
  | { act: 'ask'; credential: WaitingCredential | AgainCredential }
  | { act: 'withdraw'; credential: AgainCredential }

/** What an officer is about to do at the desk; `until`: says how long training goes on. */
export type DeskAct = SentenceAct | { act: 'until'; credential: AgainCredential }

export const ACT_TITLES: Record<DeskAct['act'], string> = {
  approve: 'Approve these credentials',
  decline: 'Decline these credentials',
  ask: 'Ask the member',
  withdraw: 'Take the approval back',
  until: 'Training that goes on',
}

interface Words {
  lead: string
  label: string
  button: string
  isDanger?: boolean
}

const WORDS: Record<SentenceAct['act'], Words> = {
  approve: {
    lead: 'The member gets a letter. You can take it back later, with another letter.',
    label: 'What you looked at',
    button: 'Approve',
  },
  decline: {
    lead: 'The member may give them again, and gets a letter.',
    label: 'The reason, as the member will read it',
    button: 'Decline',
    isDanger: true,
  },
  ask: {
    lead: 'The member gets a letter with your question, and finds it on the account page. What was approved stays approved meanwhile.',
    label: 'Your question, as the member will read it',
    button: 'Send the question',
  },
  withdraw: {
    lead: 'The member gets a letter with the reason, and may give them anew. The membership is not affected.',
    label: 'The reason, as the member will read it',
    button: 'Take it back',
    isDanger: true,
  },
}

interface DeskFormProps {
  doing: DeskAct
  onDone(lists: DeskLists): void
  reload(): void
}

/** One act at the desk; what is typed outlives a closed tab. */
export function DeskForm({ doing, onDone, reload }: DeskFormProps) {
  return doing.act === 'until' ? (
    <UntilForm credential={doing.credential} onDone={onDone} reload={reload} />
  ) : (
    <SentenceForm doing={doing} words={WORDS[doing.act]} onDone={onDone} reload={reload} />
  )
}

const SENTENCE_FIELDS = ['evidenceKind', 'evidence', 'question', 'reason'] as const
const FIELD_OF = { approve: 'evidence', decline: 'evidence', ask: 'question', withdraw: 'reason' } as const

function SentenceForm({
  doing,
  words: { lead, label, button, isDanger },
  onDone,
  reload,
}: {
  doing: SentenceAct
  words: Words
  onDone(lists: DeskLists): void
  reload(): void
}) {
  const { act, credential } = doing
  const name = FIELD_OF[act]
  const wantsKind = act === 'approve' && credential.kind !== 'licence'
  const form = useKeptForm(`${act}:${credential.id}`, {
    order: SENTENCE_FIELDS,
    explain: explainToOfficer,
    send: async (values) => onDone(await heedOthers(reload, () => send(doing, values))),
  })
  const { evidenceKind: kindError } = form.problems
  const error = form.problems[name]
  return (
    <form {...form.props}>
      <p>
        <strong>{credential.name}</strong>, {whatIsGiven(credential)}. {lead}
      </p>
      <KeptFormMessages form={form} />
      {wantsKind && (
        <FieldBox id="field-evidenceKind" label="Kind of evidence" {...(kindError && { error: kindError })}>
          <select className="input" id="field-evidenceKind" name="evidenceKind" defaultValue="">
            <option value="">Choose</option>
            {Object.entries(EVIDENCE_KINDS).map(([kind, kindWords]) => (
              <option key={kind} value={kind}>
                {kindWords}
              </option>
            ))}
          </select>
        </FieldBox>
      )}
      <TextArea label={label} name={name} rows={2} maxLength={500} autoComplete="off" {...(error && { error })} />
      <Button type="submit" variant={isDanger ? 'danger' : 'solid'} busy={form.isSending} busyLabel="Saving">
        {button}
      </Button>
    </form>
  )
}

type Values = Record<(typeof SENTENCE_FIELDS)[number], string>

function send(doing: SentenceAct, { evidence, evidenceKind, question, reason }: Values): Promise<DeskLists> {
  const params = { id: doing.credential.id }
  if (doing.act === 'ask') return callAsOfficer(askAboutCredential, { params, body: { question: oneLine(question) } })
  if (doing.act === 'withdraw') {
    const { lookedAt } = doing.credential
    return callAsOfficer(withdrawCredential, { params, body: { lookedAt, reason: oneLine(reason) } })
  }
  const kind = evidenceKind as keyof typeof EVIDENCE_KINDS | ''
  return callAsOfficer(decideCredential, {
    params,
    body: {
      decision: doing.act === 'approve' ? 'approved' : 'declined',
      evidence: oneLine(evidence),
      ...(doing.act === 'approve' && kind && { evidenceKind: kind }),
    },
  })
}

const UNTIL_FIELDS = ['endsOn'] as const

interface UntilFormProps extends Omit<DeskFormProps, 'doing'> {
  credential: AgainCredential
}

function UntilForm({ credential, onDone, reload }: UntilFormProps) {
  const form = useKeptForm(`until:${credential.id}`, {
    order: UNTIL_FIELDS,
    explain: explainToOfficer,
    send: async ({ endsOn }) => onDone(await heedOthers(reload, () => confirmStillRight(credential, endsOn))),
  })
  const { endsOn: error } = form.problems
  return (
    <form {...form.props}>
      <p>
        <strong>{credential.name}</strong> is still at {credential.place}? Enter until when, as far as is known.
      </p>
      <KeptFormMessages form={form} />
      <Field label="The training ends on" name="endsOn" type="date" {...(error && { error })} />
      <Button type="submit" busy={form.isSending} busyLabel="Saving">
        Still right until then
      </Button>
    </form>
  )
}

/** Nobody is written to; it comes again in a year, or when the training ends. */
export function confirmStillRight({ id, lookedAt }: AgainCredential, endsOn?: string): Promise<DeskLists> {
  return callAsOfficer(confirmCredential, {
    params: { id },
    body: { lookedAt, ...(endsOn === undefined ? {} : { endsOn }) },
  })
}

function whatIsGiven({ kind, npi, place }: Pick<WaitingCredential, 'kind' | 'npi' | 'place'>): string {
  if (kind === 'licence') return `NPI ${npi}`
  return `${kind === 'student' ? 'student' : 'resident or fellow'} at ${place}`
}

import { useState } from 'react'
import { decideCredential, listWaitingCredentials, type WaitingCredential } from '#contract/console-credentials.ts'
import { formatLongDate } from '#contract/dates.ts'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { KeptFormMessages } from '#web/features/console/kept-form-messages.tsx'
import { useKeptForm } from '#web/features/console/use-kept-form.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Link } from '#web/ui/link.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const REGISTRY = 'https://npiregistry.cms.hhs.gov/provider-view/'

interface Question {
  credential: WaitingCredential
  decision: 'approved' | 'declined'
}

/** The credential desk: whoever waited longest comes first (issue 8, 3). */
export default function CredentialsPage() {
  const waiting = useLoaded('waiting', async () => (await callAsOfficer(listWaitingCredentials)).waiting)
  const [question, setQuestion] = useState<Question | null>(null)
  const [done, setDone] = useState('')
  return (
    <ConsolePage
      title="Credentials"
      lead="Physicians who wait to be verified. What you look at is kept with your name."
    >
      <div role="status">{done && <Banner tone="good">{done}</Banner>}</div>
      <WhenLoaded loaded={waiting} what="who waits">
        {(credentials) =>
          credentials.length === 0 ? (
            <p className="sheet">Nobody waits.</p>
          ) : (
            <div className="member-sheets">
              {credentials.map((credential) => (
                <Waiting
                  key={credential.id}
                  credential={credential}
                  onDecide={(decision) => setQuestion({ credential, decision })}
                />
              ))}
            </div>
          )
        }
      </WhenLoaded>
      <Dialog
        open={question !== null}
        onClose={() => setQuestion(null)}
        title={question?.decision === 'declined' ? 'Decline these credentials' : 'Approve these credentials'}
        width="34rem"
      >
        {question && (
          <DecisionForm
            question={question}
            onDecided={(next) => {
              waiting.setValue(next)
              setDone(`${question.credential.name} is ${question.decision}; a letter tells the member.`)
              setQuestion(null)
            }}
          />
        )}
      </Dialog>
    </ConsolePage>
  )
}

function Waiting({
  credential: { accountId, name, email, npi, npiFits, licenceState, givenAt, declinedBefore },
  onDecide,
}: {
  credential: WaitingCredential
  onDecide(decision: Question['decision']): void
}) {
  return (
    <Sheet
      title={name}
      aside={<Badge tone={npiFits ? 'ok' : 'bad'}>{npiFits ? 'Check digit fits' : 'Check digit does not fit'}</Badge>}
    >
      <KeyValueList
        items={[
          {
            label: 'NPI',
            value: (
              <a href={`${REGISTRY}${encodeURIComponent(npi)}`} target="_blank" rel="noreferrer">
                {npi} in the registry
              </a>
            ),
          },
          { label: 'License', value: licenceState },
          { label: 'Given', value: formatLongDate(givenAt) },
          { label: 'Member', value: <Link to={`/console/members/${accountId}`}>{email}</Link> },
          ...(declinedBefore ? [{ label: 'Declined before', value: declinedBefore }] : []),
        ]}
      />
      <div className="buttons">
        <Button size="small" aria-label={`Approve ${name}`} onClick={() => onDecide('approved')}>
          Approve
        </Button>
        <Button variant="line" size="small" aria-label={`Decline ${name}`} onClick={() => onDecide('declined')}>
          Decline
        </Button>
      </div>
    </Sheet>
  )
}

const FIELDS = ['evidence'] as const

function DecisionForm({
  question: { credential, decision },
  onDecided,
}: {
  question: Question
  onDecided(waiting: WaitingCredential[]): void
}) {
  const isApproval = decision === 'approved'
  const form = useKeptForm(`credential:${credential.id}:${decision}`, {
    order: FIELDS,
    explain: explainToOfficer,
    async send({ evidence }) {
      const { waiting } = await callAsOfficer(decideCredential, {
        params: { id: credential.id },
        body: { decision, evidence },
      })
      onDecided(waiting)
    },
  })
  const { evidence: error } = form.problems
  return (
    <form {...form.props}>
      <p>
        {credential.name}, NPI {credential.npi}. {isApproval ? 'The member' : 'The member may give them again, and'}{' '}
        gets a letter. A decision is not taken back.
      </p>
      <KeptFormMessages form={form} />
      <Field
        label={isApproval ? 'What you looked at' : 'The reason, as the member will read it'}
        name="evidence"
        maxLength={500}
        autoComplete="off"
        {...(error && { error })}
      />
      <Button type="submit" variant={isApproval ? 'solid' : 'danger'} busy={form.isSending} busyLabel="Saving">
        {isApproval ? 'Approve' : 'Decline'}
      </Button>
    </form>
  )
}

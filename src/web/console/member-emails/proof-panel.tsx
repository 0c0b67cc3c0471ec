import {
  downloadProof,
  downloadProofList,
  sealProof,
  type MemberEmailDetail,
} from '#contract/console/emails/member-emails.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { Button } from '#web/ui/button.tsx'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { useAction } from '../shell/use-action.ts'
import { Panel } from '../ui/panel.tsx'

/** The proof that it was sent: sealed once, then unchanged. */
export function ProofPanel({
  email,
  onChanged,
}: {
  email: MemberEmailDetail
  onChanged(email: MemberEmailDetail): void
}) {
  const action = useAction()
  const { id, sealedAt, state, post, mayNotify } = email
  if (!mayNotify || (state !== 'finished' && sealedAt === null)) return null
  const params = { id }
  const download = (key: string, endpoint: typeof downloadProof, file: string) => (
    <Button
      variant="line"
      busy={action.busy === key}
      busyLabel="Preparing"
      onClick={() =>
        void action.run(
          key,
          async () => downloadFile(await callAsOfficer(endpoint, { params }), file),
          'The file contains personal data. Keep it safe.',
        )
      }
    >
      {key}
    </Button>
  )
  return (
    <Panel title="Proof of sending">
      <ActionMessages action={action} />
      {sealedAt === null ? (
        <>
          <p>
            The proof names the text, everyone on the list and the result for each, with digests. Once it is sealed, it
            does not change.
          </p>
          {post !== null && post.waiting > 0 && <p>Post what waits and mark it first, so that the proof counts it.</p>}
          <Button
            busy={action.busy === 'seal'}
            busyLabel="Sealing"
            onClick={() =>
              void action.run(
                'seal',
                async () => onChanged(await callAsOfficer(sealProof, { params, body: {} })),
                'Sealed.',
              )
            }
          >
            Seal the proof
          </Button>
        </>
      ) : (
        <>
          <p>
            Sealed on <strong>{formatMoment(sealedAt)}</strong>.
          </p>
          <div className="buttons">
            {download('Proof (PDF)', downloadProof, 'proof.pdf')}
            {download('List of recipients (CSV)', downloadProofList, 'recipients.csv')}
          </div>
        </>
      )}
    </Panel>
  )
}

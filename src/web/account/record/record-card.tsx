import { useState } from 'react'
import { AUDIENCE_NAMES } from '#contract/member-record/record-fields.ts'
import type { AccountField, AccountRecord } from '#contract/public/my-account/member-record.ts'
import { formatDay } from '#contract/dates/days.ts'
import { useViewer } from '#web/session/viewer.ts'
import { RecordValueText } from '#web/shared/member-record/record-value.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Box } from '../box.tsx'
import { EditableBox } from '../editable-box.tsx'
import { MemberDataProblem, useMemberData } from '../member-data.tsx'
import type { ExplainFailure } from '../use-account.ts'
import { confirmAll, readRecord } from './record.calls.ts'
import { RecordForm } from './record-form.tsx'
import { SeenAs } from './seen-as.tsx'

/** What the association asks its members besides name and address, and who sees it. Left out where it asks nothing. */
export function RecordCard({ explainFailure }: { explainFailure: ExplainFailure }) {
  const loaded = useMemberData(readRecord)
  const [changed, setChanged] = useState<AccountRecord | null>(null)
  const { isMemberView } = useViewer()
  const record = changed ?? (loaded.step === 'shown' ? loaded.value : null)
  // It stands last on its page, so that nothing moves when it appears.
  if (loaded.step === 'loading' || record?.fields.length === 0) return null
  if (!record) {
    return (
      <Box title="Your details">
        <MemberDataProblem state={loaded} what="Your details" />
      </Box>
    )
  }

  return (
    <EditableBox
      title="Your details"
      editLabel="Edit details"
      canEdit={!isMemberView}
      savedText="Your details were saved."
      renderForm={({ cancel, saved }) => (
        <RecordForm
          // Another set of fields is another form.
          key={record.fields.map(({ key }) => key).join(' ')}
          record={record}
          explainFailure={explainFailure}
          onReloaded={setChanged}
          onSaved={(now) => {
            setChanged(now)
            saved()
          }}
          onCancel={cancel}
        />
      )}
    >
      {(saved) => (
        <RecordDetails
          record={record}
          explainFailure={explainFailure}
          isMemberView={isMemberView}
          onConfirmed={(now) => {
            setChanged(now)
            saved()
          }}
        />
      )}
    </EditableBox>
  )
}

interface RecordDetailsProps {
  record: AccountRecord
  isMemberView: boolean
  explainFailure: ExplainFailure
  onConfirmed(record: AccountRecord): void
}

function RecordDetails({ record, isMemberView, explainFailure, onConfirmed }: RecordDetailsProps) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const hasValues = record.fields.some(({ value }) => value !== null)
  const isUnconfirmed = record.fields.some(({ value, confirmedOn }) => value !== null && confirmedOn === null)

  async function confirm() {
    if (isBusy) return
    setBusy(true)
    setFailure(null)
    try {
      onConfirmed(await confirmAll(record.version))
    } catch (cause) {
      const sentences = { missing: 'Please log in to confirm your details', failed: 'Your details were not confirmed' }
      setFailure(explainFailure(cause, sentences))
    }
    setBusy(false)
  }

  return (
    <>
      {isUnconfirmed && !isMemberView && (
        <Banner tone="note">
          Some of this was entered for you. Please check it, and choose who sees it under “Edit details”.
        </Banner>
      )}
      <KeyValueList items={record.fields.map((field) => ({ label: field.label, value: <Detail field={field} /> }))} />
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      {hasValues && !isMemberView && (
        <>
          <div className="buttons">
            <Button variant="line" size="small" busy={isBusy} busyLabel="Saving" onClick={() => void confirm()}>
              All of this is right
            </Button>
          </div>
          <SeenAs key={record.version} />
        </>
      )}
    </>
  )
}

const ENTERED_BY = { owner: '', officer: ', entered by an officer', import: ', from an earlier list' } as const

function Detail({ field: { kind, value, audience, confirmedOn, enteredBy } }: { field: AccountField }) {
  if (value === null) return <span className="record-note soft">Not entered</span>
  return (
    <>
      <RecordValueText kind={kind} value={value} />
      <span className="record-note small soft">
        {audience === 'owner' ? 'Only you see this' : `Shown to: ${AUDIENCE_NAMES[audience].toLowerCase()}`}
        {enteredBy && ENTERED_BY[enteredBy]}
        {confirmedOn ? `, confirmed ${formatDay(confirmedOn)}` : ', not confirmed yet'}
      </span>
    </>
  )
}

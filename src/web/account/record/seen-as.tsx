import { useState } from 'react'
import { RECORD_VIEWERS, type RecordViewer, type VisibleValue } from '#contract/public/my-account/member-record.ts'
import { RecordValueText } from '#web/shared/member-record/record-value.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { TryAgain } from '../try-again.tsx'
import { readSeenAs } from './record.calls.ts'

const NAMES: Record<RecordViewer, string> = { stranger: 'Everyone', member: 'Another member', officer: 'An officer' }

/** What others see of the own record. */
export function SeenAs() {
  const [viewer, setViewer] = useState<RecordViewer | null>(null)
  const [values, setValues] = useState<VisibleValue[] | 'loading' | 'failed'>('loading')

  async function show(wanted: RecordViewer) {
    setViewer(wanted)
    setValues('loading')
    const found = await readSeenAs(wanted).catch(() => 'failed' as const)
    setValues(found)
  }

  return (
    <Disclosure summary="See it as others do">
      <div className="record-viewers" role="group" aria-label="See your details as">
        {RECORD_VIEWERS.map((one) => (
          <button
            key={one}
            type="button"
            className="button line small"
            aria-pressed={viewer === one}
            onClick={() => void show(one)}
          >
            {NAMES[one]}
          </button>
        ))}
      </div>
      <div aria-live="polite">
        {viewer !== null && values === 'failed' && (
          <TryAgain
            message="This could not be loaded. Please check your connection."
            onRetry={async () => show(viewer)}
          />
        )}
        {Array.isArray(values) && viewer !== null && values.length === 0 && (
          <p>{NAMES[viewer]} sees none of your details.</p>
        )}
        {Array.isArray(values) && values.length > 0 && (
          <KeyValueList
            items={values.map(({ label, kind, value }) => ({
              label,
              value: <RecordValueText kind={kind} value={value} />,
            }))}
          />
        )}
      </div>
    </Disclosure>
  )
}

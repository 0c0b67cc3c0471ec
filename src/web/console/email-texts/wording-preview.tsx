import { useEffect, useState } from 'react'
import { previewEmailWording, type ChangedText } from '#contract/console/emails/email-wordings.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { FieldBox } from '#web/ui/field.tsx'
import { ChoiceTabs } from '../forms/choice-tabs.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { EmailFrame } from '../ui/email-frame.tsx'

const PAUSE_MS = 400
const FORMS = [
  ['desktop', 'Desktop'],
  ['phone', 'Phone'],
  ['text', 'Plain text'],
] as const

/** The email with sample values, a moment after each change. */
export function WordingPreview({
  id,
  samples,
  sample,
  onSample,
  texts,
}: {
  id: string
  samples: readonly string[]
  sample: string
  onSample(sample: string): void
  texts: readonly ChangedText[]
}) {
  const [form, setForm] = useState<(typeof FORMS)[number][0]>('desktop')
  const [preview, setPreview] = useState<ReplyOf<typeof previewEmailWording> | null>(null)
  const body = JSON.stringify({ texts, sample })

  useEffect(() => {
    let isMounted = true
    const timer = setTimeout(
      () => {
        // A failed preview leaves the last one.
        callAsOfficer(previewEmailWording, { params: { id }, body: JSON.parse(body) as never })
          .then((next) => isMounted && setPreview(next))
          .catch(() => undefined)
      },
      preview === null ? 0 : PAUSE_MS,
    )
    return () => {
      isMounted = false
      clearTimeout(timer)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the first preview does not wait
  }, [id, body])

  return (
    <section className="live-preview" aria-label="Preview">
      {samples.length > 1 && (
        <FieldBox id="sample" label="Variant">
          <select className="input" id="sample" value={sample} onChange={({ target }) => onSample(target.value)}>
            {samples.map((one) => (
              <option key={one} value={one}>
                {one.charAt(0).toUpperCase() + one.slice(1)}
              </option>
            ))}
          </select>
        </FieldBox>
      )}
      <ChoiceTabs label="Preview format" choices={FORMS} chosen={form} onChoose={(next) => setForm(next)} />
      {preview && (
        <>
          <p>
            <span className="soft">Subject:</span> <strong>{preview.subject}</strong>
          </p>
          {form === 'text' ? (
            <pre className="email-text" tabIndex={0} role="group" aria-label="Plain text">
              {preview.text}
            </pre>
          ) : (
            <EmailFrame html={preview.html} isNarrow={form === 'phone'} />
          )}
        </>
      )}
    </section>
  )
}

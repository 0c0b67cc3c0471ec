import { useEffect, useState } from 'react'
import type { previewMemberEmail } from '#contract/console/emails/member-emails.ts'
import type { previewNewsletter } from '#contract/console/newsletter.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { ChoiceTabs } from '../forms/choice-tabs.tsx'
import { WhenLoaded } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { EmailFrame } from '../ui/email-frame.tsx'

/** The call that renders the email. */
type PreviewEndpoint = typeof previewNewsletter | typeof previewMemberEmail
type Preview = ReplyOf<PreviewEndpoint>

const FORMS = [
  ['desktop', 'Desktop'],
  ['phone', 'Phone'],
  ['text', 'Plain text'],
] as const

/** The email as last saved, which is a moment after each change (docs/product-rules.md#campaign-html). */
export function CampaignPreview({ endpoint, id, version }: { endpoint: PreviewEndpoint; id: string; version: number }) {
  const [form, setForm] = useState<(typeof FORMS)[number][0]>('desktop')
  const [preview, setPreview] = useState<Preview | null>(null)
  return (
    <section className="live-preview" aria-label="Preview">
      <ChoiceTabs label="Preview format" choices={FORMS} chosen={form} onChoose={(next) => setForm(next)} />
      <PreviewLoader key={`${id} ${version}`} endpoint={endpoint} id={id} onLoaded={setPreview} />
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

/** Loads one version; the one before stays in view meanwhile. */
function PreviewLoader({
  endpoint,
  id,
  onLoaded,
}: {
  endpoint: PreviewEndpoint
  id: string
  onLoaded(preview: Preview): void
}) {
  const found = useLoaded(endpoint, { params: { id } })
  const { value } = found
  useEffect(() => {
    if (value) onLoaded(value)
  }, [value, onLoaded])
  return (
    <WhenLoaded loaded={found} what="the preview">
      {() => null}
    </WhenLoaded>
  )
}

import { useState } from 'react'
import { previewNewsletter, testNewsletter } from '#contract/console/newsletter.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ActionMessages } from '../shell/action-messages.tsx'
import { ChoiceTabs } from '../forms/choice-tabs.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { WhenLoaded } from '../shell/console-page.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'

const CHOICES = [
  ['phone', 'Phone'],
  ['desktop', 'Desktop'],
  ['text', 'Plain text'],
] as const

/** The rendered email in a sandboxed frame (docs/product-rules.md#campaign-html), and a test email to the officer. */
export function NewsletterPreview({ id }: { id: string }) {
  const [form, setForm] = useState<'phone' | 'desktop' | 'text'>('phone')
  const found = useLoaded(previewNewsletter, { params: { id } })
  const action = useAction()

  const [testedTo, setTestedTo] = useState('')

  async function test() {
    const { email } = await callAsOfficer(testNewsletter, { params: { id }, body: {} })
    setTestedTo(email)
  }

  return (
    <Card title="Preview">
      <ActionMessages action={{ ...action, done: action.done && `${action.done} ${testedTo}.` }} />
      <ChoiceTabs label="Preview format" choices={CHOICES} chosen={form} onChoose={(next) => setForm(next)} />
      <WhenLoaded loaded={found} what="the preview">
        {({ path, text, subject }) => (
          <>
            <p>
              <span className="soft">Subject:</span> <strong>{subject}</strong>
            </p>
            {form === 'text' ? (
              <pre className="email-text">{text}</pre>
            ) : (
              <iframe
                className={`email-frame ${form}`}
                title="Email preview"
                src={path}
                sandbox="allow-popups allow-popups-to-escape-sandbox"
                referrerPolicy="no-referrer"
              />
            )}
          </>
        )}
      </WhenLoaded>
      <Button
        variant="line"
        busy={action.busy !== null}
        busyLabel="Sending test"
        onClick={() => void action.run('test', test, 'Test email sent to')}
      >
        Send test email
      </Button>
    </Card>
  )
}

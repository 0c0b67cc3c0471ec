import { useState } from 'react'
import { previewNewsletter, testNewsletter } from '#contract/console-newsletter.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { ActionMessages } from './action-messages.tsx'
import { ChoiceTabs } from './choice-tabs.tsx'
import { callAsOfficer } from './console-door.ts'
import { WhenLoaded } from './console-page.tsx'
import { useAction } from './use-action.ts'
import { useLoaded } from './use-loaded.ts'

const CHOICES = [
  ['phone', 'On a phone'],
  ['desktop', 'On a desktop'],
  ['text', 'As text'],
] as const

/** The letter as it would be mailed, in a frame that may do nothing (docs/product-rules.md#campaign-html), and a test to oneself. */
export function NewsletterPreview({ id }: { id: string }) {
  const [form, setForm] = useState<'phone' | 'desktop' | 'text'>('phone')
  const found = useLoaded(id, () => callAsOfficer(previewNewsletter, { params: { id } }))
  const action = useAction()

  const [testedTo, setTestedTo] = useState('')

  async function test() {
    const { email } = await callAsOfficer(testNewsletter, { params: { id }, body: {} })
    setTestedTo(email)
  }

  return (
    <Sheet title="Preview">
      <ActionMessages action={{ ...action, done: action.done && `${action.done} ${testedTo}.` }} />
      <ChoiceTabs label="How it is read" choices={CHOICES} chosen={form} onChoose={(next) => setForm(next)} />
      <WhenLoaded loaded={found} what="the preview">
        {({ path, text, subject }) => (
          <>
            <p>
              <span className="soft">Subject:</span> <strong>{subject}</strong>
            </p>
            {form === 'text' ? (
              <pre className="letter-text">{text}</pre>
            ) : (
              <iframe
                className={`letter-frame ${form}`}
                title="The letter as it would be mailed"
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
        busyLabel="Mailing the test"
        onClick={() => void action.run('test', test, 'The test is on its way to')}
      >
        Mail a test to me
      </Button>
    </Sheet>
  )
}

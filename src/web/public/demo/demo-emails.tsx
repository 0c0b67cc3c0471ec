import { useCallback, useEffect, useState } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { listDemoEmails } from '#contract/demo/demo.ts'
import { errorMessage } from '#web/forms/error-message.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { Button } from '#web/ui/button.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { linkedText } from './linked-text.rules.ts'

type Email = ReplyOf<typeof listDemoEmails>['emails'][number]

/** What the site would have sent to this browser's address and to the person who is logged in. */
export function DemoEmails({ guestAddress }: { guestAddress: string }) {
  const { siteUrl } = useFrameContents()
  const [emails, setEmails] = useState<readonly Email[] | null>(null)
  const [failure, setFailure] = useState('')
  const [isLoading, setLoading] = useState(false)

  const load = useCallback(async () => {
    setLoading(true)
    setFailure('')
    try {
      const { emails: readEmails } = await import('./demo-calls.ts')
      setEmails(await readEmails())
    } catch (error) {
      setFailure(
        errorMessage(error, { refused: 'The emails could not be loaded.', network: 'We couldn’t reach the demo.' }),
      )
    }
    setLoading(false)
  }, [])

  useEffect(() => void load(), [load])

  return (
    <section aria-label="Emails">
      <h2>Emails</h2>
      <p>
        No email leaves this demo. To register, subscribe or reply to an invitation, use the address{' '}
        <strong>{guestAddress}</strong>: what the site writes to it appears here, in this browser only, and so does what
        it writes to the person you are logged in as.
      </p>
      <Button size="small" variant="line" busy={isLoading} busyLabel="Looking" onClick={() => void load()}>
        Look for new emails
      </Button>
      <div role="status">
        {failure && <p>{failure}</p>}
        {emails?.length === 0 && !failure && <p>There are none yet.</p>}
      </div>
      {emails?.map(({ id, to, subject, text }) => (
        <Disclosure key={id} summary={`${subject} (to ${to})`}>
          <p className="demo-email">
            {linkedText(text, siteUrl).map(({ text: part, path }, index) =>
              path === null ? (
                part
              ) : (
                <a key={index} href={path}>
                  {part}
                </a>
              ),
            )}
          </p>
        </Disclosure>
      ))}
    </section>
  )
}

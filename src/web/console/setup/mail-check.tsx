import { useState } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import { checkMailProvider } from '#contract/setup/site-setup.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import type { Action } from '../shell/use-action.ts'

const VERDICTS = {
  ok: { tone: 'ok', label: 'OK' },
  look: { tone: 'quiet', label: 'Check' },
  wrong: { tone: 'bad', label: 'Wrong' },
} as const

interface MailCheckProps {
  isConfirmed: boolean
  action: Action
  onConfirm(): void
}

/** A test email to the officer, and what receivers read about the sender: SPF, DKIM and DMARC. */
export function MailCheck({ isConfirmed, action, onConfirm }: MailCheckProps) {
  const [result, setResult] = useState<ReplyOf<typeof checkMailProvider> | null>(null)
  return (
    <div className="stack">
      <div>
        <Button
          variant="line"
          busy={action.busy === 'check-mail'}
          busyLabel="Checking"
          onClick={() =>
            void action.run('check-mail', async () => setResult((await callAsOfficer(checkMailProvider)) ?? null))
          }
        >
          Send a test email and check the sender
        </Button>
      </div>
      {result && (
        <>
          <Banner tone={result.isSent ? 'good' : 'bad'} role="status">
            {result.isSent
              ? `The server accepted a test email to ${result.sentTo}. Check that it arrives, and not in the spam folder.`
              : 'The server did not accept the test email.'}
          </Banner>
          {result.findings.some(({ verdict }) => verdict !== 'ok') && (
            <p>
              What is not OK below is for the person who looks after your domain and your server. Until it is done,
              emails may land in spam. You can open the site before.
            </p>
          )}
          <ul className="findings">
            {result.findings.map(({ about, verdict, text, publish }) => (
              <li key={`${about} ${text}`}>
                <p>
                  <Badge tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].label}</Badge> <strong>{about}:</strong>{' '}
                  {text}
                </p>
                {publish && (
                  <p className="soft">
                    Publish the TXT record <code>{publish.name}</code>: <code>{publish.value}</code>
                  </p>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {!isConfirmed && (
        <div>
          <Button variant="line" busy={action.busy === 'mail'} busyLabel="Saving" onClick={onConfirm}>
            The test email arrived
          </Button>
        </div>
      )}
    </div>
  )
}

import { useState } from 'react'
import { accountPath } from '#web/app/paths.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Box } from '../box.tsx'
import type { ExplainFailure } from '../use-account.ts'
import { reportMessage } from './directory.calls.ts'

/** Where the link in a member's message leads: only the button reports it. */
export function ReportMessage({ id, explainFailure }: { id: string; explainFailure: ExplainFailure }) {
  const [step, setStep] = useState<'asking' | 'busy' | 'done'>('asking')
  const [failure, setFailure] = useState<string | null>(null)

  async function report() {
    if (step === 'busy') return
    setStep('busy')
    setFailure(null)
    try {
      await reportMessage(id)
      setStep('done')
    } catch (cause) {
      setStep('asking')
      setFailure(
        explainFailure(cause, {
          missing: 'Please log in to report a message',
          failed: 'The message was not reported. Please try again.',
        }),
      )
    }
  }

  return (
    <Box title="Report a message">
      <p>The officers get the message and the names of both of you. The sender is not told.</p>
      <div role="status">
        {step === 'done' && <Banner tone="good">Thank you. The officers have the message.</Banner>}
      </div>
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      {step !== 'done' && (
        <div className="buttons">
          <Button size="small" busy={step === 'busy'} busyLabel="Reporting" onClick={() => void report()}>
            Report this message
          </Button>
        </div>
      )}
      <p>
        You can stop all such messages in{' '}
        <Link to={`${accountPath('profile')}#directory`}>your directory settings</Link>.
      </p>
    </Box>
  )
}

import { useState } from 'react'
import { downloadFile } from '#web/shared/download-file.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Box } from '../box.tsx'
import { getPersonalData } from './data.calls.ts'
import type { ExplainFailure } from '../use-account.ts'

/** Downloads all data we hold about the member. */
export function PersonalDataCard({ explainFailure }: { explainFailure: ExplainFailure }) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function download() {
    setBusy(true)
    setFailure(null)
    try {
      const held = await getPersonalData()
      const json = new Blob([JSON.stringify(held, null, 2)], { type: 'application/json' })
      downloadFile(json, `my-data-${held.writtenAt.slice(0, 10)}.json`)
    } catch (cause) {
      setFailure(
        explainFailure(cause, {
          missing: 'Please log in to download your data',
          failed: 'Failed to download your data',
        }),
      )
    }
    setBusy(false)
  }

  return (
    <Box
      title="Your Data"
      aside={
        <Button variant="line" size="small" busy={isBusy} busyLabel="Preparing" onClick={() => void download()}>
          Download my data
        </Button>
      }
    >
      <p>
        Everything we hold about you in one file: account, memberships, payments, consents, sessions, newsletter,
        messages, and each time an officer viewed the site as you.
      </p>
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
    </Box>
  )
}

import { useState } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { getPersonalData } from './account-calls.ts'
import type { ExplainFailure } from './use-account.ts'

/** Downloads all data we hold about the member. */
export function PersonalDataCard({ explainFailure }: { explainFailure: ExplainFailure }) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function download() {
    setBusy(true)
    setFailure(null)
    try {
      const held = await getPersonalData()
      saveFile(`my-data-${held.writtenAt.slice(0, 10)}.json`, JSON.stringify(held, null, 2))
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
    <Card
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
    </Card>
  )
}

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

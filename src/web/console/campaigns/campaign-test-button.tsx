import { useState } from 'react'
import type { testMemberEmail } from '#contract/console/emails/member-emails.ts'
import type { testNewsletter } from '#contract/console/newsletter.ts'
import { Button } from '#web/ui/button.tsx'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { showFailure, showToast } from '../ui/toasts.tsx'

/** Sends the email to the officer alone. */
export function CampaignTestButton({
  endpoint,
  id,
}: {
  endpoint: typeof testNewsletter | typeof testMemberEmail
  id: string
}) {
  const [isBusy, setBusy] = useState(false)
  async function test() {
    setBusy(true)
    try {
      const { email } = await callAsOfficer(endpoint, { params: { id }, body: {} })
      showToast(`Test email sent to ${email}.`)
    } catch (failure) {
      showFailure(officerErrorMessage(failure), { retry: () => void test() })
    }
    setBusy(false)
  }
  return (
    <Button variant="line" busy={isBusy} busyLabel="Sending test" onClick={() => void test()}>
      Send test
    </Button>
  )
}

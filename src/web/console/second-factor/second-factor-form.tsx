import { useEffect, useState } from 'react'
import type { SecondFactor } from '#contract/access.ts'
import { getPasskeyChallenge, verifyPasskey } from '#contract/public/passkeys.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { SecondFactorCodeForm } from './verification-code-forms.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { requestAssertion, supportsPasskeys, passkeyErrorMessage, preloadPasskeys } from './passkey-calls.ts'
import { useAction } from '../shell/use-action.ts'

/** Verifies the second factor: a passkey if there is one, otherwise or on request a code. */
export function SecondFactorForm({
  factors,
  label,
  onProved,
}: {
  factors: readonly SecondFactor[]
  label: string
  onProved(): void
}) {
  const hasPasskey = factors.includes('passkey') && supportsPasskeys()
  const hasApp = factors.includes('app')
  const [usesCode, setUsesCode] = useState(!hasPasskey)
  return (
    <div className="second-factor">
      {usesCode ? (
        <SecondFactorCodeForm label={label} hasApp={hasApp} onProved={onProved} />
      ) : (
        <PasskeyButton onProved={onProved} />
      )}
      {hasPasskey && (
        <Button variant="line" onClick={() => setUsesCode(!usesCode)}>
          {usesCode ? 'Use your passkey instead' : hasApp ? 'Enter a code instead' : 'Use a recovery code instead'}
        </Button>
      )}
    </div>
  )
}

function PasskeyButton({ onProved }: { onProved(): void }) {
  const action = useAction(passkeyErrorMessage)
  useEffect(() => void preloadPasskeys(), [])

  async function verify() {
    const isProved = await action.run('prove', async () => {
      const options = await callAsOfficer(getPasskeyChallenge, { body: {} })
      await callAsOfficer(verifyPasskey, { body: { credential: await requestAssertion(options) } })
    })
    if (isProved) onProved()
  }

  return (
    <>
      {action.failure && (
        <Banner tone="bad" role="alert">
          {action.failure}
        </Banner>
      )}
      <Button autoFocus busy={action.busy !== null} busyLabel="Waiting for your device" onClick={() => void verify()}>
        Use your passkey
      </Button>
    </>
  )
}

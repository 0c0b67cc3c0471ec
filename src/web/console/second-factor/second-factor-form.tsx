import { useEffect, useState } from 'react'
import type { Way } from '#contract/access.ts'
import { askForPasskey, proveByPasskey } from '#contract/passkeys.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { CodeForm } from './code-forms.tsx'
import { callAsOfficer } from './console-door.ts'
import { answerByPasskey, canUsePasskeys, explainPasskey, preloadPasskeys } from './passkey.ts'
import { useAction } from './use-action.ts'

/** Shows that it is the officer: by passkey where there is one, else or by choice by a code. */
export function ProveForm({ ways, label, onProved }: { ways: readonly Way[]; label: string; onProved(): void }) {
  const hasPasskey = ways.includes('passkey') && canUsePasskeys()
  const hasApp = ways.includes('app')
  const [usesCode, setUsesCode] = useState(!hasPasskey)
  return (
    <div className="prove">
      {usesCode ? (
        <CodeForm label={label} hasApp={hasApp} onProved={onProved} />
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
  const action = useAction(explainPasskey)
  useEffect(() => void preloadPasskeys(), [])

  async function prove() {
    const isProved = await action.run('prove', async () => {
      const options = await callAsOfficer(askForPasskey, { body: {} })
      await callAsOfficer(proveByPasskey, { body: { credential: await answerByPasskey(options) } })
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
      <Button autoFocus busy={action.busy !== null} busyLabel="Waiting for your device" onClick={() => void prove()}>
        Use your passkey
      </Button>
    </>
  )
}

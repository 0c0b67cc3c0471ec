import { useRef, useState } from 'react'
import type { SecondFactor } from '#contract/access.ts'
import { beginFirstPasskey, confirmFirstPasskey, type CreationOptions } from '#contract/public/passkeys.ts'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { AuthenticatorSetup } from './authenticator-setup.tsx'
import { ConfirmPasswordForm } from './verification-code-forms.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { PasskeyNameForm } from './passkey-form.tsx'
import { suggestPasskeyName } from './passkey-errors.rules.ts'
import { supportsPasskeys, createPasskey } from './passkey-calls.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

const FINGERPRINT =
  'M12 10a2 2 0 0 0-2 2c0 1.02-.1 2.51-.26 4M14 13.12c0 2.38 0 6.38-1 8.88M17.29 21.02c.12-.6.43-2.3.5-3.02M2 12a10 10 0 0 1 18-6M2 16h.01M21.8 16c.2-2 .131-5.354 0-6M5 19.5C5.5 18 6 15 6 12a6 6 0 0 1 .34-2M8.65 22c.21-.66.45-1.32.57-2M9 6.8a6 6 0 0 1 9 5.2v2'
const PHONE = 'M7 2h10a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zM12 18h.01'

/** First-time setup: a passkey or an authenticator app, then recovery codes. */
export function SecondFactorSetup({ onDone }: { onDone(): void }) {
  // Browsers without passkey support only get the app.
  const [factor, setFactor] = useState<SecondFactor | null>(() => (supportsPasskeys() ? null : 'app'))
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null)
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onDone={onDone} />
  if (factor === null) return <Choice onChoose={setFactor} />
  return (
    <>
      {factor === 'passkey' ? (
        <FirstPasskey onDone={setRecoveryCodes} />
      ) : (
        <>
          <p>
            An authenticator app shows a code that changes every 30 seconds. Any app works, including the one in your
            password manager.
          </p>
          <AuthenticatorSetup onDone={setRecoveryCodes} />
        </>
      )}
      {supportsPasskeys() && (
        <Button variant="line" size="small" onClick={() => setFactor(factor === 'app' ? 'passkey' : 'app')}>
          {factor === 'app' ? 'Use a passkey instead' : 'Use an authenticator app instead'}
        </Button>
      )}
    </>
  )
}

function Choice({ onChoose }: { onChoose(factor: SecondFactor): void }) {
  return (
    <>
      <p>Officers see confidential messages, so a password isn’t enough. Choose a second factor:</p>
      <div className="factor-choices">
        <button type="button" onClick={() => onChoose('passkey')}>
          <Icon d={FINGERPRINT} />
          <span>
            <strong>A passkey</strong>
            <span>
              Use your face, fingerprint or device PIN. Nothing to type, and it can’t be phished. Recommended.
            </span>
          </span>
        </button>
        <button type="button" onClick={() => onChoose('app')}>
          <Icon d={PHONE} />
          <span>
            <strong>An authenticator app</strong>
            <span>Six digits from an app on your phone. Best if you use shared computers.</span>
          </span>
        </button>
      </div>
      <p className="small soft">You can add the other later, and more passkeys.</p>
    </>
  )
}

/** Asks for the password first, in a separate step: browsers only open the passkey prompt right after a click. */
function FirstPasskey({ onDone }: { onDone(recoveryCodes: string[]): void }) {
  const [password, setPassword] = useState<string | null>(null)
  const challenge = useRef<CreationOptions | null>(null)

  async function begin(given: string) {
    challenge.current = await callAsOfficer(beginFirstPasskey, { body: { password: given } })
  }

  if (password === null) {
    return (
      <>
        <p>First, confirm your password.</p>
        <ConfirmPasswordForm
          label="Continue"
          send={async (given) => {
            await begin(given)
            setPassword(given)
          }}
        />
      </>
    )
  }
  return (
    <>
      <p>Your device will ask for your face, fingerprint or PIN. These never leave your device.</p>
      <PasskeyNameForm
        name={suggestPasskeyName(navigator.userAgent)}
        label="Create passkey"
        busyLabel="Waiting for your device"
        hint="Helps you tell your passkeys apart."
        send={async (name) => {
          if (!challenge.current) await begin(password)
          const options = challenge.current
          // A challenge is valid once, so a retry requests a new one.
          challenge.current = null
          if (!options) return
          const credential = await createPasskey(options)
          onDone((await callAsOfficer(confirmFirstPasskey, { body: { name, credential } })).recoveryCodes)
        }}
      />
    </>
  )
}

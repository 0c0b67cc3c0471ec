import { useRef, useState } from 'react'
import type { Way } from '#contract/access.ts'
import { beginFirstPasskey, confirmFirstPasskey, type CreationOptions } from '#contract/passkeys.ts'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { AppSetup } from './app-setup.tsx'
import { OfficerPasswordForm } from './code-forms.tsx'
import { callAsOfficer } from './console-door.ts'
import { PasskeyNameForm } from './passkey-form.tsx'
import { suggestPasskeyName } from './passkey-words.rules.ts'
import { canUsePasskeys, makePasskey } from './passkey.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

const FINGERPRINT =
  'M12 10a2 2 0 0 0-2 2c0 1.02-.1 2.51-.26 4M14 13.12c0 2.38 0 6.38-1 8.88M17.29 21.02c.12-.6.43-2.3.5-3.02M2 12a10 10 0 0 1 18-6M2 16h.01M21.8 16c.2-2 .131-5.354 0-6M5 19.5C5.5 18 6 15 6 12a6 6 0 0 1 .34-2M8.65 22c.21-.66.45-1.32.57-2M9 6.8a6 6 0 0 1 9 5.2v2'
const PHONE = 'M7 2h10a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zM12 18h.01'

/** What the first visit sets up: a passkey or an app, by choice, then the recovery codes. */
export function EnrolForm({ onDone }: { onDone(): void }) {
  // Where the browser knows no passkeys there is nothing to choose.
  const [way, setWay] = useState<Way | null>(() => (canUsePasskeys() ? null : 'app'))
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null)
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onDone={onDone} />
  if (way === null) return <Choice onChoose={setWay} />
  return (
    <>
      {way === 'passkey' ? (
        <FirstPasskey onDone={setRecoveryCodes} />
      ) : (
        <>
          <p>
            An app on your phone shows a code that changes every half minute. Any authenticator app will do, also the
            one in your password manager.
          </p>
          <AppSetup onDone={setRecoveryCodes} />
        </>
      )}
      {canUsePasskeys() && (
        <Button variant="line" size="small" onClick={() => setWay(way === 'app' ? 'passkey' : 'app')}>
          {way === 'app' ? 'Use a passkey instead' : 'Use an authenticator app instead'}
        </Button>
      )}
    </>
  )
}

function Choice({ onChoose }: { onChoose(way: Way): void }) {
  return (
    <>
      <p>Officers see what others wrote in confidence, so a password is not enough here. Choose what you add to it:</p>
      <div className="way-choices">
        <button type="button" onClick={() => onChoose('passkey')}>
          <Icon d={FINGERPRINT} />
          <span>
            <strong>A passkey</strong>
            <span>
              Your phone or computer asks for your face, finger or PIN. Nothing to type, and no false site can ask for
              it. The easiest.
            </span>
          </span>
        </button>
        <button type="button" onClick={() => onChoose('app')}>
          <Icon d={PHONE} />
          <span>
            <strong>An authenticator app</strong>
            <span>Six digits that you copy from your phone. Right where you use computers that belong to others.</span>
          </span>
        </button>
      </div>
      <p className="small soft">You can add the other one later, and more passkeys.</p>
    </>
  )
}

/** Password first, then a press of its own: browsers ask the device only right after one. */
function FirstPasskey({ onDone }: { onDone(recoveryCodes: string[]): void }) {
  const [password, setPassword] = useState<string | null>(null)
  const question = useRef<CreationOptions | null>(null)

  async function begin(given: string) {
    question.current = await callAsOfficer(beginFirstPasskey, { body: { password: given } })
  }

  if (password === null) {
    return (
      <>
        <p>First your password, so that nobody else makes a passkey in your name.</p>
        <OfficerPasswordForm
          label="Go on"
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
      <p>Your device now asks for your face, your finger or its PIN. None of that leaves it.</p>
      <PasskeyNameForm
        name={suggestPasskeyName(navigator.userAgent)}
        label="Make the passkey"
        busyLabel="Waiting for your device"
        hint="So that you know it from others you may add."
        send={async (name) => {
          if (!question.current) await begin(password)
          const options = question.current
          // It is answered once: whoever tries again is asked anew.
          question.current = null
          if (!options) return
          const credential = await makePasskey(options)
          onDone((await callAsOfficer(confirmFirstPasskey, { body: { name, credential } })).recoveryCodes)
        }}
      />
    </>
  )
}

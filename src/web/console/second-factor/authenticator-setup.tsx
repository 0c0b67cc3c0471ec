import { useState } from 'react'
import { officerLimits } from '#contract/access.ts'
import { beginSecondFactor, confirmSecondFactor } from '#contract/console/console.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { checkCode, CodeField, ConfirmPasswordForm } from './verification-code-forms.tsx'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'

const CODE = ['code'] as const

type Secret = ReplyOf<typeof beginSecondFactor>

/** Sets up an authenticator app: password, QR code, first code. No step can be skipped. */
export function AuthenticatorSetup({ onDone }: { onDone(recoveryCodes: string[]): void }) {
  const [secret, setSecret] = useState<Secret | null>(null)
  if (secret) return <FirstCode secret={secret} onConfirmed={onDone} />
  return (
    <ConfirmPasswordForm
      label="Set up the app"
      send={async (password) => setSecret(await callAsOfficer(beginSecondFactor, { body: { password } }))}
    />
  )
}

function FirstCode({ secret, onConfirmed }: { secret: Secret; onConfirmed(codes: string[]): void }) {
  const form = useForm({
    order: CODE,
    check: ({ code }) => checkCode(code),
    errorMessage: officerErrorMessage,
    async send({ code }) {
      onConfirmed((await callAsOfficer(confirmSecondFactor, { body: { code } })).recoveryCodes)
    },
  })
  return (
    <form {...form.props}>
      <ol className="flow">
        <li>
          Scan this QR code with your authenticator app, or <a href={secret.address}>open the app on this device</a>.
          <img
            className="qr-code"
            src={`data:image/svg+xml,${encodeURIComponent(secret.qrCode)}`}
            alt="QR code for your authenticator app"
            width="220"
            height="220"
          />
        </li>
        <li>
          If neither works, enter this key manually: <code className="secret">{secret.secret}</code>
        </li>
        <li>Enter the code the app shows now.</li>
      </ol>
      <FormMessages form={form} />
      <CodeField error={form.errors.code} hint={`${officerLimits.codeDigits} digits`} />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Checking">
        Confirm
      </Button>
    </form>
  )
}

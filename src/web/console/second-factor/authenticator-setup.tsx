import { useState } from 'react'
import { officerLimits } from '#contract/access.ts'
import { beginSecondFactor, confirmSecondFactor } from '#contract/console.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { useForm } from '#web/features/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { checkCode, CodeField, OfficerPasswordForm } from './code-forms.tsx'
import { callAsOfficer, explainToOfficer } from './console-door.ts'

const CODE = ['code'] as const

type Secret = ReplyOf<typeof beginSecondFactor>

/** Password, picture, first code: none of them can be skipped. */
export function AppSetup({ onDone }: { onDone(recoveryCodes: string[]): void }) {
  const [secret, setSecret] = useState<Secret | null>(null)
  if (secret) return <FirstCode secret={secret} onConfirmed={onDone} />
  return (
    <OfficerPasswordForm
      label="Set up the app"
      send={async (password) => setSecret(await callAsOfficer(beginSecondFactor, { body: { password } }))}
    />
  )
}

function FirstCode({ secret, onConfirmed }: { secret: Secret; onConfirmed(codes: string[]): void }) {
  const form = useForm({
    order: CODE,
    check: ({ code }) => checkCode(code),
    explain: explainToOfficer,
    async send({ code }) {
      onConfirmed((await callAsOfficer(confirmSecondFactor, { body: { code } })).recoveryCodes)
    },
  })
  return (
    <form {...form.props}>
      <ol className="flow">
        <li>
          Scan this picture with your authenticator app, or <a href={secret.address}>open the app on this device</a>.
          <img
            className="qr-code"
            src={`data:image/svg+xml,${encodeURIComponent(secret.qrCode)}`}
            alt="QR code for your authenticator app"
            width="220"
            height="220"
          />
        </li>
        <li>
          Where neither works, type this in by hand: <code className="secret">{secret.secret}</code>
        </li>
        <li>Enter the code that the app shows now.</li>
      </ol>
      <FormMessages form={form} />
      <CodeField error={form.problems.code} hint={`${officerLimits.codeDigits} digits`} />
      <Button type="submit" busy={form.isSending} busyLabel="Checking the code">
        Confirm
      </Button>
    </form>
  )
}

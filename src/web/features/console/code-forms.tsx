import { useState } from 'react'
import { officerLimits } from '#contract/access.ts'
import { beginSecondFactor, confirmSecondFactor, proveSecondFactor } from '#contract/console.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { callAsMember } from '#web/features/auth/call-as-member.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { useForm } from '#web/features/forms/use-form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { explainToOfficer } from './console-door.ts'

const CODE = ['code'] as const
const PASSWORD = ['password'] as const

/** The code of the app, or a recovery code. */
export function CodeForm({ label, onProved }: { label: string; onProved(): void }) {
  const form = useForm({
    order: CODE,
    check: checkCode,
    explain: explainToOfficer,
    async send({ code }) {
      await callAsMember(proveSecondFactor, { body: { code } })
      onProved()
    },
  })
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <CodeField error={form.problems.code} hint="No phone at hand? Enter one of your recovery codes instead." />
      <Button type="submit" busy={form.isSending} busyLabel="Checking the code">
        {label}
      </Button>
    </form>
  )
}

function CodeField({ error, hint }: { error: string | undefined; hint: string }) {
  return (
    <Field
      label="Code of your authenticator app"
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus
      hint={hint}
      {...(error !== undefined && { error })}
    />
  )
}

function checkCode({ code }: { code: string }): { code?: string } {
  return code.trim() === '' ? { code: messages.officer.code } : {}
}

type Secret = ReplyOf<typeof beginSecondFactor>

/** Password, picture, first code, recovery codes: four steps, and none of them can be skipped. */
export function EnrolForm({ onDone }: { onDone(): void }) {
  const [secret, setSecret] = useState<Secret | null>(null)
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null)
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onDone={onDone} />
  if (secret) return <FirstCode secret={secret} onConfirmed={setRecoveryCodes} />
  return <AskPassword onSecret={setSecret} />
}

function AskPassword({ onSecret }: { onSecret(secret: Secret): void }) {
  const form = useForm({
    order: PASSWORD,
    check: ({ password }) => (password === '' ? { password: messages.password.required } : {}),
    explain: explainToOfficer,
    send: async ({ password }) => onSecret(await callAsMember(beginSecondFactor, { body: { password } })),
  })
  return (
    <form {...form.props}>
      <p>
        Officers see what others wrote in confidence. So a password is not enough here: an app on your phone shows a
        code that changes every half minute. Any authenticator app will do, also the one in your password manager.
      </p>
      <FormMessages form={form} />
      <PasswordField
        label="Your password"
        name="password"
        autoComplete="current-password"
        hint={`Officers' passwords have at least ${officerLimits.passwordMin} characters.`}
        error={form.problems.password}
      />
      <Button type="submit" busy={form.isSending} busyLabel="Checking the password">
        Set up the app
      </Button>
    </form>
  )
}

function FirstCode({ secret, onConfirmed }: { secret: Secret; onConfirmed(codes: string[]): void }) {
  const form = useForm({
    order: CODE,
    check: checkCode,
    explain: explainToOfficer,
    async send({ code }) {
      onConfirmed((await callAsMember(confirmSecondFactor, { body: { code } })).recoveryCodes)
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

export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  return (
    <div className="flow">
      <Banner tone="warn" title="Keep these codes">
        Each opens the console once if your phone is lost. They are shown only now: print them, or keep them in your
        password manager.
      </Banner>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="buttons">
        <Button variant="line" onClick={() => window.print()}>
          Print them
        </Button>
        <Button onClick={onDone}>I have kept them</Button>
      </div>
    </div>
  )
}

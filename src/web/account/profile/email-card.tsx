import { useState } from 'react'
import { changeEmailBody } from '#contract/public/account-email.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { validate } from '#web/forms/validate.rules.ts'
import { useForm } from '#web/forms/use-form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { Box } from '../box.tsx'
import { requestEmailChange } from './profile.calls.ts'
import { FormButtons } from '../form-buttons.tsx'
import type { ExplainFailure } from '../use-account.ts'

type Step = { name: 'closed'; wasOpen: boolean } | { name: 'asking' } | { name: 'asked'; sentence: string }

interface EmailCardProps {
  email: string
  /** Requested and not confirmed yet. */
  pendingEmail: string | null
  explainFailure: ExplainFailure
  onAsked(): Promise<void>
}

/** Requests an email change. The new address takes effect once the email sent there is confirmed. */
export function EmailCard({ email, pendingEmail, explainFailure, onAsked }: EmailCardProps) {
  const [step, setStep] = useState<Step>({ name: 'closed', wasOpen: false })
  return (
    <Box
      title="Email Address"
      aside={
        step.name !== 'asking' && (
          <Button
            variant="line"
            size="small"
            autoFocus={step.name === 'asked' || step.wasOpen}
            onClick={() => setStep({ name: 'asking' })}
          >
            Change email address
          </Button>
        )
      }
    >
      <p>
        You log in with <strong>{email}</strong> or your username. We send our emails there.
      </p>
      {pendingEmail && step.name === 'closed' && (
        <Banner tone="note">
          <p>
            We sent an email to <strong>{pendingEmail}</strong>. Open it to confirm that address; until then nothing
            changes.
          </p>
        </Banner>
      )}
      {step.name === 'asking' && (
        <EmailForm
          explainFailure={explainFailure}
          onAsked={(message) => {
            setStep({ name: 'asked', sentence: message })
            void onAsked()
          }}
          onCancel={() => setStep({ name: 'closed', wasOpen: true })}
        />
      )}
      <div role="status">{step.name === 'asked' && <Banner tone="good">{step.sentence}</Banner>}</div>
    </Box>
  )
}

const FIELDS = ['email', 'password'] as const

interface EmailFormProps {
  explainFailure: ExplainFailure
  onAsked(message: string): void
  onCancel(): void
}

function EmailForm({ explainFailure, onAsked, onCancel }: EmailFormProps) {
  const form = useForm({
    order: FIELDS,
    check: (values) => validate(changeEmailBody, values),
    errorMessage: (failure) =>
      explainFailure(failure, {
        missing: 'Please log in to change your email address',
        failed: 'Failed to change email address',
      }),
    send: async (values) => onAsked(await requestEmailChange(values)),
  })

  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <div className="pair">
        <Field
          label="New email address"
          name="email"
          type="email"
          autoComplete="email"
          autoFocus
          error={form.errors.email}
        />
        <PasswordField label="Password" name="password" autoComplete="current-password" error={form.errors.password} />
      </div>
      <FormButtons label="Send confirmation" busyLabel="Sending" isSubmitting={form.isSubmitting} onCancel={onCancel} />
    </form>
  )
}

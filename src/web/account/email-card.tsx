import { useState } from 'react'
import { changeEmailBody } from '#contract/account-email.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { problemsOf } from '#web/features/forms/problems.rules.ts'
import { useForm } from '#web/features/forms/use-form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { askForEmailChange } from './account-calls.ts'
import type { ExplainFailure } from './use-account.ts'

type Step = { name: 'closed'; wasOpen: boolean } | { name: 'asking' } | { name: 'asked'; sentence: string }

/** Moving to another address: it counts once the letter that goes there was confirmed. */
export function EmailSheet({ email, explainFailure }: { email: string; explainFailure: ExplainFailure }) {
  const [step, setStep] = useState<Step>({ name: 'closed', wasOpen: false })
  return (
    <Sheet
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
        You log in with <strong>{email}</strong> or your username, and our letters go there.
      </p>
      {step.name === 'asking' && (
        <EmailForm
          explainFailure={explainFailure}
          onAsked={(sentence) => setStep({ name: 'asked', sentence })}
          onCancel={() => setStep({ name: 'closed', wasOpen: true })}
        />
      )}
      <div role="status">{step.name === 'asked' && <Banner tone="good">{step.sentence}</Banner>}</div>
    </Sheet>
  )
}

const FIELDS = ['email', 'password'] as const

interface EmailFormProps {
  explainFailure: ExplainFailure
  onAsked(sentence: string): void
  onCancel(): void
}

function EmailForm({ explainFailure, onAsked, onCancel }: EmailFormProps) {
  const form = useForm({
    order: FIELDS,
    check: (values) => problemsOf(changeEmailBody, values),
    explain: (failure) =>
      explainFailure(failure, {
        missing: 'Please log in to change your email address',
        failed: 'Failed to change email address',
      }),
    send: async (values) => onAsked(await askForEmailChange(values)),
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
          error={form.problems.email}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          error={form.problems.password}
        />
      </div>
      <div className="buttons">
        <Button type="submit" size="small" busy={form.isSending} busyLabel="Sending">
          Send confirmation
        </Button>
        <Button variant="line" size="small" disabled={form.isSending} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

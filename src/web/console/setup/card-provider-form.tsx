import { useState } from 'react'
import { saveCardProvider } from '#contract/setup/site-setup.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { validate } from '#web/forms/validate.rules.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { ProviderActions, ProviderSource, type ProviderFormProps } from './provider-source.tsx'

const FIELDS = ['publishableKey', 'secretKey'] as const

/** The keys of the association's Stripe account. The webhook is created with them. */
export function CardProviderForm({ setup, onSaved }: ProviderFormProps) {
  const { source, isLive, webhookUrl } = setup.providers.cards
  const [isEditing, setEditing] = useState(source === 'missing')
  const form = useForm({
    order: FIELDS,
    check: (values) => (saveCardProvider.body ? validate<(typeof FIELDS)[number]>(saveCardProvider.body, values) : {}),
    errorMessage: officerErrorMessage,
    async send(values) {
      await callAsOfficer(saveCardProvider, { body: values })
      setEditing(false)
      onSaved()
    },
  })
  if (!isEditing) {
    const text = isLive
      ? 'Stripe is connected with live keys: payments are real.'
      : 'Stripe is connected with test keys: no real payments are taken.'
    return <ProviderSource source={source} text={text} onEdit={() => setEditing(true)} />
  }
  return (
    <form {...form.props}>
      <p>
        Copy both keys from Stripe’s dashboard: Developers, API keys. Begin with test keys and replace them by live ones
        before you open. The site creates the webhook at {webhookUrl} itself.
      </p>
      <FormMessages form={form} />
      <div className="pair">
        <Field
          label="Publishable key"
          name="publishableKey"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={form.errors.publishableKey}
        />
        <PasswordField label="Secret key" name="secretKey" autoComplete="off" error={form.errors.secretKey} />
      </div>
      <ProviderActions source={source} onCancel={() => setEditing(false)}>
        <Button type="submit" busy={form.isSubmitting} busyLabel="Asking Stripe">
          Connect Stripe
        </Button>
      </ProviderActions>
    </form>
  )
}

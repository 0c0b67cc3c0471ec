import { useState } from 'react'
import { saveBotCheckProvider } from '#contract/setup/site-setup.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { validate } from '#web/forms/validate.rules.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { ProviderActions, ProviderSource, type ProviderFormProps } from './provider-source.tsx'

const FIELDS = ['siteKey', 'secretKey'] as const

/** The keys of the bot check, which the provider tries before they are stored. */
export function BotCheckForm({ setup, onSaved }: ProviderFormProps) {
  const { source } = setup.providers.botCheck
  const [isEditing, setEditing] = useState(source === 'missing')
  const form = useForm({
    order: FIELDS,
    check: (values) =>
      saveBotCheckProvider.body ? validate<(typeof FIELDS)[number]>(saveBotCheckProvider.body, values) : {},
    errorMessage: officerErrorMessage,
    async send(values) {
      await callAsOfficer(saveBotCheckProvider, { body: values })
      setEditing(false)
      onSaved()
    },
  })
  if (!isEditing)
    return <ProviderSource source={source} text="The bot check is connected." onEdit={() => setEditing(true)} />
  return (
    <form {...form.props}>
      <p>
        It keeps programs from filling in your forms. Create a reCAPTCHA v3 site (score-based) for your host name at
        google.com/recaptcha/admin, and copy both keys.
      </p>
      <FormMessages form={form} />
      <div className="pair">
        <Field
          label="Site key"
          name="siteKey"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={form.errors.siteKey}
        />
        <PasswordField
          label="Secret key of the bot check"
          name="secretKey"
          autoComplete="off"
          error={form.errors.secretKey}
        />
      </div>
      <ProviderActions source={source} onCancel={() => setEditing(false)}>
        <Button type="submit" busy={form.isSubmitting} busyLabel="Asking Google">
          Connect the bot check
        </Button>
      </ProviderActions>
    </form>
  )
}

import type { ReactNode } from 'react'
import { messages } from '#contract/messages.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { errorMessage } from '#web/forms/error-message.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { useBotCheck } from '#web/session/bot-check.ts'

interface LoginFormProps {
  onLoggedIn(): void
  /** Shown between the fields and the button, such as the link for a forgotten password. */
  children?: ReactNode
}

const loadLogIn = () => import('./log-in.ts')

const FIELDS = ['identifier', 'password'] as const

export function LoginForm({ onLoggedIn, children }: LoginFormProps) {
  const botCheck = useBotCheck()
  const form = useForm({
    order: FIELDS,
    check: ({ identifier, password }) => ({
      ...(identifier.trim() === '' && { identifier: messages.login.required }),
      ...(password === '' && { password: messages.login.required }),
    }),
    errorMessage: explainLogin,
    prepare: loadLogIn,
    async send({ identifier, password }) {
      const recaptchaToken = await botCheck('login')
      const { logInWith } = await loadLogIn()
      await logInWith({ identifier: identifier.trim(), password, recaptchaToken })
      onLoggedIn()
    },
  })

  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <Field
        label="Email or username"
        name="identifier"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordField label="Password" name="password" autoComplete="current-password" />
      {children}
      <Button
        type="submit"
        disabled={!form.isValid}
        reason={messages.login.required}
        busy={form.isSubmitting}
        busyLabel="Logging in"
      >
        Log in
      </Button>
    </form>
  )
}

function explainLogin(failure: unknown): string {
  const statusText = failure instanceof CallFailure ? failure.message : ''
  return errorMessage(failure, {
    refused: statusText || 'Login failed. Please try again.',
    network: 'Unable to connect to the server. Please check your internet connection.',
  })
}

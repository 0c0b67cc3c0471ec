import { useEffect, useRef, useState } from 'react'
import { CallFailure } from '#web/api/call-failure.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { useBotCheck } from '#web/session/bot-check.ts'
import { currentToken } from '#web/session/session.ts'

const NO_FIELDS = [] as const
const loadCalls = () => import('./verification-calls.ts')

interface ResendVerificationProps {
  email: string
  variant: 'solid' | 'line'
  onSent?(): void
}

/** Resends the verification email. */
export function ResendVerification({ email, variant, onSent }: ResendVerificationProps) {
  const botCheck = useBotCheck()
  const [sentTimes, setSentTimes] = useState(0)
  const banner = useRef<HTMLDivElement | null>(null)
  const form = useForm({
    order: NO_FIELDS,
    prepare: loadCalls,
    errorMessage: explainResend,
    async send() {
      const isMember = currentToken() !== null
      const recaptchaToken = isMember ? '' : await botCheck('resend_verification')
      const { resendVerificationEmail: resendLetter, resendVerificationEmailToMember: resendLetterToMember } =
        await loadCalls()
      await (isMember ? resendLetterToMember() : resendLetter({ email, recaptchaToken }))
      setSentTimes((times) => times + 1)
      onSent?.()
    },
  })
  const isSent = sentTimes > 0 && !form.failure && !form.isSubmitting

  useEffect(() => {
    if (sentTimes > 0) banner.current?.focus()
  }, [sentTimes])

  return (
    <form {...form.props}>
      <FormMessages form={form} />
      {isSent && (
        <div className="form-messages">
          <Banner tone="good" role="status" ref={banner}>
            Verification link resent successfully!
          </Banner>
        </div>
      )}
      <Button type="submit" variant={variant} busy={form.isSubmitting} busyLabel="Sending">
        Resend verification email
      </Button>
    </form>
  )
}

function explainResend(failure: unknown): string {
  if (!(failure instanceof CallFailure))
    return 'Unable to resend verification email. Please try again or contact support.'
  if (failure.kind === 'network') return 'Network error. Please try again.'
  return failure.serverMessage ?? 'Failed to resend email. Please try again later.'
}

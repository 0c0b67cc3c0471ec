import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { messages } from '#contract/messages.ts'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { SupportLine } from '#web/shared/support-line.tsx'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { ForgotPasswordForm } from './forgot-password-form.tsx'
import { ResetPasswordForm } from './reset-password-form.tsx'
import { useReturnParameters } from '#web/session/return-parameters.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { ResultPage } from '#web/ui/result-page.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import type { Route } from './+types/reset-password'

const ADDRESS = { names: ['token', 'userId'], secrets: ['token', 'userId'] } as const

/** `asking`: the form that fits the URL. */
type Step =
  | { name: 'asking' }
  | { name: 'sent'; email: string }
  | { name: 'done' }
  | { name: 'invalid' }
  | { name: 'again' }

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Reset your password' })
}

export default function ResetPasswordPage() {
  const [query] = useSearchParams()
  const { association } = useFrameContents()
  const address = useReturnParameters(ADDRESS)
  const [step, setStep] = useState<Step>({ name: 'asking' })
  const titleRef = useRef<HTMLHeadingElement | null>(null)
  const hasLink = address
    ? address.token !== undefined && address.userId !== undefined
    : query.has('token') && query.has('userId')

  useEffect(() => {
    if (step.name !== 'asking') titleRef.current?.focus()
  }, [step])

  if (step.name === 'sent') {
    return (
      <ResultPage
        spot="mail"
        title="Check Your Email"
        titleRef={titleRef}
        actions={<ButtonLink to={paths.login()}>Back to Login</ButtonLink>}
      >
        <p>
          If an account belongs to <strong>{step.email}</strong>, a link to choose a new password is on its way. Check
          your spam folder too.
        </p>
        <SupportLine question="Still nothing after a few minutes?" />
      </ResultPage>
    )
  }
  if (step.name === 'done') {
    return (
      <ResultPage
        spot="lamp"
        title="Password Reset Successfully!"
        titleRef={titleRef}
        actions={<ButtonLink to={paths.login()}>Continue to Login</ButtonLink>}
      >
        <p>Log in with your new password. You have been signed out on every device.</p>
      </ResultPage>
    )
  }
  if (step.name === 'invalid') {
    return (
      <ResultPage
        spot="empty"
        title="This link no longer works"
        titleRef={titleRef}
        actions={<Button onClick={() => setStep({ name: 'again' })}>Send a new link</Button>}
      >
        <p role="alert">{messages.reset.invalid}</p>
      </ResultPage>
    )
  }
  if (hasLink && step.name === 'asking') {
    return (
      <ResultPage spot="lotus" title="Choose a new password" titleRef={titleRef}>
        <NeedsScript email={association.email} />
        <ResetPasswordForm
          token={address?.token ?? ''}
          userId={address?.userId ?? ''}
          onDone={() => setStep({ name: 'done' })}
          onInvalidLink={() => setStep({ name: 'invalid' })}
        />
      </ResultPage>
    )
  }
  return (
    <ResultPage spot="mail" title="Reset your password" titleRef={titleRef}>
      <p>Enter your account email and we'll send a reset link.</p>
      <NeedsScript email={association.email} />
      <ForgotPasswordForm onSent={(email) => setStep({ name: 'sent', email })} />
      <p>
        <Link to={paths.login()}>Back to Login</Link>
      </p>
    </ResultPage>
  )
}

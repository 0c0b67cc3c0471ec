import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { SupportLine } from '#web/shared/support-line.tsx'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { AddressForm } from './address-form.tsx'
import { CodeForm } from './code-form.tsx'
import { ResendVerification } from './resend-verification.tsx'
import { useReturnParameters } from '#web/session/return-parameters.ts'
import { readPendingRegistration } from './pending-registration.ts'
import { useVerification, verificationMessages } from './use-verification.ts'
import type { Proof, VerifyEmailReply } from './verification-calls.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { StepLine } from '../step-line.tsx'
import { NextCheckout } from '../payment/next-checkout.tsx'
import { ResultPage } from '#web/ui/result-page.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Skeleton, Spinner } from '#web/ui/loading.tsx'
import type { Route } from './+types/email-verification'

const ADDRESS = { names: ['email', 'token'], secrets: ['token'] } as const

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Verify your email' })
}

export default function EmailVerificationPage() {
  const [query] = useSearchParams()
  const address = useReturnParameters(ADDRESS)
  const [typedEmail, setTypedEmail] = useState<string>()
  const [isResent, setResent] = useState(false)
  const { verification, verify, verifyLink } = useVerification(address?.token)
  const titleRef = useFocusOnChange(verification.step)
  const email = typedEmail ?? address?.email ?? (address ? readPendingRegistration()?.email : undefined)

  // The email's link was opened and is about to be verified.
  const isOpening = verification.step === 'waiting' && (address ? address.token !== undefined : query.has('token'))
  if (isOpening || verification.step === 'verifying') {
    return (
      <ResultPage spot="mail" before={<StepLine current={2} />} title="Verifying your email" titleRef={titleRef}>
        <Spinner text="One moment, please." />
        <NoScriptHelp />
      </ResultPage>
    )
  }
  if (verification.step === 'verified') {
    const { reply, proof } = verification
    return <VerifiedAnswer titleRef={titleRef} reply={reply} proof={proof} verify={verify} />
  }
  if (verification.step === 'expired') {
    return (
      <ResultPage spot="empty" before={<StepLine current={2} />} title="Link Expired" titleRef={titleRef}>
        <p>{verificationMessages.expired}</p>
        {email && isResent && <CodeForm email={email} onCode={verify} />}
        {email && (
          <ResendVerification email={email} variant={isResent ? 'line' : 'solid'} onSent={() => setResent(true)} />
        )}
        {!email && <AddressForm onAddress={setTypedEmail} />}
        <div className="result-more">
          <p>
            <Link to={paths.becomeAMember()}>Start New Registration</Link>
          </p>
          <EmailHelp />
        </div>
      </ResultPage>
    )
  }
  if (verification.step === 'over') {
    return (
      <ResultPage
        spot="empty"
        title="Registration expired"
        titleRef={titleRef}
        actions={<ButtonLink to={paths.becomeAMember()}>Start New Registration</ButtonLink>}
      >
        <p>{verificationMessages.registrationExpired}</p>
        <SupportLine />
      </ResultPage>
    )
  }
  if (verification.step === 'failed') {
    const { sentence, proof } = verification
    return (
      <ResultPage
        spot="empty"
        before={<StepLine current={2} />}
        title="Verification failed"
        titleRef={titleRef}
        actions={
          <>
            <Button onClick={() => void verifyLink(proof)}>Try again</Button>
            <ButtonLink variant="line" to={paths.becomeAMember()}>
              Back to registration
            </ButtonLink>
          </>
        }
      >
        <p role="alert">{sentence}</p>
        <SupportLine />
      </ResultPage>
    )
  }
  return (
    <ResultPage spot="mail" before={<StepLine current={2} />} title="Check your email" titleRef={titleRef}>
      <p>
        We sent a link and a 6-digit code to {email ? <strong>{email}</strong> : 'the address you registered with'}.
        Open the link, or type the code here. Both work for 24 hours.
      </p>
      <NoScriptHelp />
      {/* Reserves the form's space until it is known which form to show. */}
      {!address && <Skeleton height="11rem" />}
      {address && !email && <AddressForm onAddress={setTypedEmail} />}
      {email && <CodeForm email={email} onCode={verify} />}
      <div className="result-more">
        <EmailHelp />
        {email && <ResendVerification email={email} variant="line" />}
        <p>
          <Link to={paths.becomeAMember()}>Back to registration</Link>
        </p>
      </div>
    </ResultPage>
  )
}

interface VerifiedAnswerProps {
  titleRef: ReturnType<typeof useFocusOnChange>
  reply: VerifyEmailReply
  proof: Proof
  verify: ReturnType<typeof useVerification>['verify']
}

function VerifiedAnswer({ titleRef, reply, proof, verify }: VerifiedAnswerProps) {
  const navigate = useNavigate()
  const title = reply.alreadyVerified ? 'Email Already Verified!' : 'Email Verified Successfully!'

  if (reply.next === 'login') {
    return (
      <ResultPage
        spot="lamp"
        title={title}
        titleRef={titleRef}
        actions={<ButtonLink to={paths.login()}>Log in</ButtonLink>}
      >
        <p>Your membership is active. Log in to see it.</p>
        <SupportLine />
      </ResultPage>
    )
  }
  if (reply.next === 'checkout' && reply.nextLevelKey !== undefined) {
    return (
      <ResultPage spot="lamp" before={<StepLine current={3} />} title={title} titleRef={titleRef}>
        <NextCheckout
          reply={reply}
          proof={proof}
          verify={verify}
          onCompleted={() => void navigate(`${paths.stripeSuccess()}?free=1`, { replace: true })}
        />
        <SupportLine />
      </ResultPage>
    )
  }
  return (
    <ResultPage
      spot="lamp"
      title={title}
      titleRef={titleRef}
      actions={<ButtonLink to={paths.becomeAMember()}>Start New Registration</ButtonLink>}
    >
      <p>This address is verified, but it has no open registration.</p>
      <SupportLine />
    </ResultPage>
  )
}

function EmailHelp() {
  const { email } = useFrameContents().association
  return (
    <p className="small soft">
      No email after a few minutes? Check your spam folder, or email <a href={`mailto:${email}`}>{email}</a>.
    </p>
  )
}

function NoScriptHelp() {
  return <NeedsScript email={useFrameContents().association.email} />
}

/** Focuses the heading whenever the page shows a new result; not on first render. */
function useFocusOnChange(step: string) {
  const titleRef = useRef<HTMLHeadingElement | null>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    titleRef.current?.focus()
  }, [step])
  return titleRef
}

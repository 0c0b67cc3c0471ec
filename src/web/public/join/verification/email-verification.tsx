import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { SupportLine } from '#web/features/association/support-line.tsx'
import { useFrameContents } from '#web/features/association/frame-contents.ts'
import { AddressForm } from '#web/features/auth/address-form.tsx'
import { CodeForm } from '#web/features/auth/code-form.tsx'
import { ResendVerification } from '#web/features/auth/resend-verification.tsx'
import { useReturnAddress } from '#web/features/auth/return-address.ts'
import { readTempUser } from '#web/features/auth/temp-user.ts'
import { useVerification, verificationSentences } from '#web/features/auth/use-verification.ts'
import type { Proof, Verified } from '#web/features/auth/verification-calls.ts'
import { NeedsScript } from '#web/features/forms/needs-script.tsx'
import { NextCheckout } from '#web/features/membership/next-checkout.tsx'
import { AnswerPage } from '#web/ui/answer-page.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Skeleton, Spinner } from '#web/ui/waiting.tsx'
import type { Route } from './+types/email-verification'

const ADDRESS = { names: ['email', 'token'], secrets: ['token'] } as const

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Verify your email' })
}

export default function EmailVerificationPage() {
  const [query] = useSearchParams()
  const address = useReturnAddress(ADDRESS)
  const [typedEmail, setTypedEmail] = useState<string>()
  const [isResent, setResent] = useState(false)
  const { verification, verify, verifyLink } = useVerification(address?.token)
  const titleRef = useFocusOnChange(verification.step)
  const email = typedEmail ?? address?.email ?? (address ? readTempUser()?.email : undefined)

  // The link in the letter was opened and is about to be verified.
  const isOpening = verification.step === 'waiting' && (address ? address.token !== undefined : query.has('token'))
  if (isOpening || verification.step === 'verifying') {
    return (
      <AnswerPage spot="mail" title="Verifying your email" titleRef={titleRef}>
        <Spinner text="One moment, please." />
        <NoScriptHelp />
      </AnswerPage>
    )
  }
  if (verification.step === 'verified') {
    const { reply, proof } = verification
    return <VerifiedAnswer titleRef={titleRef} reply={reply} proof={proof} verify={verify} />
  }
  if (verification.step === 'expired') {
    return (
      <AnswerPage spot="empty" title="Link Expired" titleRef={titleRef}>
        <p>{verificationSentences.expired}</p>
        {email && isResent && <CodeForm email={email} onCode={verify} />}
        {email && (
          <ResendVerification email={email} variant={isResent ? 'line' : 'solid'} onSent={() => setResent(true)} />
        )}
        {!email && <AddressForm onAddress={setTypedEmail} />}
        <div className="answer-more">
          <p>
            <Link to={paths.becomeAMember()}>Start New Registration</Link>
          </p>
          <LetterHelp />
        </div>
      </AnswerPage>
    )
  }
  if (verification.step === 'over') {
    return (
      <AnswerPage
        spot="empty"
        title="Registration expired"
        titleRef={titleRef}
        actions={<ButtonLink to={paths.becomeAMember()}>Start New Registration</ButtonLink>}
      >
        <p>{verificationSentences.over}</p>
        <SupportLine />
      </AnswerPage>
    )
  }
  if (verification.step === 'failed') {
    const { sentence, proof } = verification
    return (
      <AnswerPage
        spot="empty"
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
      </AnswerPage>
    )
  }
  return (
    <AnswerPage spot="mail" title="Check your email" titleRef={titleRef}>
      <p>
        We sent a link and a 6-digit code to {email ? <strong>{email}</strong> : 'the address you registered'}. Open the
        link, or type the code here. Both work for 24 hours.
      </p>
      <NoScriptHelp />
      {/* The room of the form, until it is known which one. */}
      {!address && <Skeleton height="11rem" />}
      {address && !email && <AddressForm onAddress={setTypedEmail} />}
      {email && <CodeForm email={email} onCode={verify} />}
      <div className="answer-more">
        <LetterHelp />
        {email && <ResendVerification email={email} variant="line" />}
        <p>
          <Link to={paths.becomeAMember()}>Back to registration</Link>
        </p>
      </div>
    </AnswerPage>
  )
}

interface VerifiedAnswerProps {
  titleRef: ReturnType<typeof useFocusOnChange>
  reply: Verified
  proof: Proof
  verify: ReturnType<typeof useVerification>['verify']
}

function VerifiedAnswer({ titleRef, reply, proof, verify }: VerifiedAnswerProps) {
  const navigate = useNavigate()
  const title = reply.alreadyVerified ? 'Email Already Verified!' : 'Email Verified Successfully!'

  if (reply.next === 'login') {
    return (
      <AnswerPage
        spot="lamp"
        title={title}
        titleRef={titleRef}
        actions={<ButtonLink to={paths.login()}>Log in</ButtonLink>}
      >
        <p>Your membership has begun. Log in to see it.</p>
        <SupportLine />
      </AnswerPage>
    )
  }
  if (reply.next === 'checkout' && reply.nextLevelKey !== undefined) {
    return (
      <AnswerPage spot="lamp" title={title} titleRef={titleRef}>
        <NextCheckout
          reply={reply}
          proof={proof}
          verify={verify}
          onCompleted={() => void navigate(`${paths.stripeSuccess()}?free=1`, { replace: true })}
        />
        <SupportLine />
      </AnswerPage>
    )
  }
  return (
    <AnswerPage
      spot="lamp"
      title={title}
      titleRef={titleRef}
      actions={<ButtonLink to={paths.becomeAMember()}>Start New Registration</ButtonLink>}
    >
      <p>This address is verified, but no registration is waiting for it.</p>
      <SupportLine />
    </AnswerPage>
  )
}

function LetterHelp() {
  const { email } = useFrameContents().association
  return (
    <p className="small soft">
      No letter after a few minutes? Look in the spam folder, or write to <a href={`mailto:${email}`}>{email}</a>.
    </p>
  )
}

function NoScriptHelp() {
  return <NeedsScript email={useFrameContents().association.email} />
}

/** The heading takes the focus whenever the page has a new answer; not when it first appears. */
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

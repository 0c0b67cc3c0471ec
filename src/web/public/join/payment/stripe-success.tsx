import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { SupportLine } from '#web/features/association/support-line.tsx'
import { useFrameContents } from '#web/features/association/frame-contents.ts'
import { useReturnAddress } from '#web/features/auth/return-address.ts'
import { useSession } from '#web/features/auth/session.ts'
import { NeedsScript } from '#web/features/forms/needs-script.tsx'
import { ConfirmedMembership } from '#web/features/membership/confirmed-membership.tsx'
import { usePayment, type ReturnFromCheckout } from '#web/features/membership/use-payment.ts'
import { AnswerPage } from '#web/ui/answer-page.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Spinner } from '#web/ui/waiting.tsx'
import type { Route } from './+types/stripe-success'

const ADDRESS = { names: ['session_id', 'nonce'], secrets: ['session_id', 'nonce'] } as const

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Your membership' })
}

export default function StripeSuccessPage() {
  const [query] = useSearchParams()
  return query.get('free') === '1' ? <FreeMembership /> : <PaidMembership />
}

function FreeMembership() {
  return (
    <AnswerPage spot="lamp" title="Membership Activated!" actions={<WaysOn />}>
      <p>Your place at the table is set. An email with the details is on its way.</p>
      <ConfirmedMembership />
      <LogInOffer />
    </AnswerPage>
  )
}

function PaidMembership() {
  const { association } = useFrameContents()
  const address: ReturnFromCheckout | null = useReturnAddress(ADDRESS)
  const { payment, retry } = usePayment(address)
  const titleRef = useRef<HTMLHeadingElement | null>(null)

  useEffect(() => {
    if (payment.step === 'paid' || payment.step === 'problem') titleRef.current?.focus()
  }, [payment.step])

  if (payment.step === 'paid') {
    return (
      <AnswerPage spot="lamp" title="Payment Successful!" titleRef={titleRef} actions={<WaysOn />}>
        <p>Your membership has begun. The receipt is in your email.</p>
        <ConfirmedMembership />
        <LogInOffer />
      </AnswerPage>
    )
  }
  if (payment.step === 'problem') {
    return (
      <AnswerPage
        spot="empty"
        title="We could not confirm your payment"
        titleRef={titleRef}
        actions={
          <>
            {payment.canRetry && <Button onClick={retry}>Try again</Button>}
            <ButtonLink variant="line" to={paths.account()}>
              Go to your account
            </ButtonLink>
            {!payment.canRetry && (
              <ButtonLink variant="line" to={paths.home()}>
                Back to home
              </ButtonLink>
            )}
          </>
        }
      >
        <p role="alert">{payment.sentence}</p>
        <SupportLine />
      </AnswerPage>
    )
  }
  return (
    <AnswerPage spot="peach" title="Confirming your payment" titleRef={titleRef}>
      <Spinner
        text={
          payment.step === 'processing'
            ? 'Your payment is on its way to us. This can take a minute or two; you may keep this page open.'
            : 'One moment, please.'
        }
      />
      <NeedsScript email={association.email} />
    </AnswerPage>
  )
}

function WaysOn() {
  return (
    <>
      <ButtonLink to={paths.account()}>Go to your account</ButtonLink>
      <ButtonLink variant="line" to={paths.home()}>
        Back to home
      </ButtonLink>
    </>
  )
}

/** Another device or a later visit gets no token (docs/product-rules.md#return-from-payment). */
function LogInOffer() {
  const { status } = useSession()
  if (status !== 'anonymous') return null
  const login = `${paths.login()}?${new URLSearchParams({ next: paths.account() })}`
  return (
    <p>
      <Link to={login}>Log in</Link> to see your membership.
    </p>
  )
}

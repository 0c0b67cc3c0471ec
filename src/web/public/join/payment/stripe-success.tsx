import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { SupportLine } from '#web/shared/support-line.tsx'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { useReturnParameters } from '#web/session/return-parameters.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { usePayment, type CheckoutReturnParameters } from './use-payment.ts'
import { Welcome } from './welcome.tsx'
import { ResultPage } from '#web/ui/result-page.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/loading.tsx'
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
    <Welcome title="Membership Activated!">
      Your place at the table is set. An email with the details is on its way.
    </Welcome>
  )
}

function PaidMembership() {
  const { association } = useFrameContents()
  const address: CheckoutReturnParameters | null = useReturnParameters(ADDRESS)
  const { payment, retry } = usePayment(address)
  const titleRef = useRef<HTMLHeadingElement | null>(null)

  useEffect(() => {
    if (payment.step === 'paid' || payment.step === 'problem') titleRef.current?.focus()
  }, [payment.step])

  if (payment.step === 'paid') {
    return (
      <Welcome title="Payment Successful!" titleRef={titleRef}>
        Your membership is active. We emailed your receipt.
      </Welcome>
    )
  }
  if (payment.step === 'problem') {
    return (
      <ResultPage
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
        <p role="alert">{payment.message}</p>
        <SupportLine />
      </ResultPage>
    )
  }
  return (
    <ResultPage spot="peach" title="Confirming your payment" titleRef={titleRef}>
      <Spinner
        text={
          payment.step === 'processing'
            ? 'Your payment is still being processed. This can take a minute or two; please keep this page open.'
            : 'One moment, please.'
        }
      />
      <p className="soft">
        We are asking the card provider whether your payment is complete, which usually takes a few seconds. Please keep
        this page open, and don’t pay again. Once it is complete, your receipt comes by email.
      </p>
      <NeedsScript email={association.email} />
    </ResultPage>
  )
}

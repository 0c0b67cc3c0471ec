import { useEffect, useRef } from 'react'
import { contactWithSubject, paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { useReturnParameters } from '#web/session/return-parameters.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { SponsorThanks } from './sponsor-thanks.tsx'
import { useSponsorPayment } from './use-sponsor-payment.ts'
import { ResultPage } from '#web/ui/result-page.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import type { Route } from './+types/sponsor-success'

const ADDRESS = { names: ['session_id', 'nonce'], secrets: ['session_id', 'nonce'] } as const

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Your sponsorship' })
}

export default function SponsorSuccessPage() {
  const { association } = useFrameContents()
  const payment = useSponsorPayment(useReturnParameters(ADDRESS))
  const titleRef = useRef<HTMLHeadingElement | null>(null)

  useEffect(() => {
    if (payment.step !== 'verifying') titleRef.current?.focus()
  }, [payment.step])

  if (payment.step === 'verified') return <SponsorThanks titleRef={titleRef} />
  if (payment.step === 'issue') {
    return (
      <ResultPage
        spot="empty"
        title="We couldn’t verify your sponsorship"
        titleRef={titleRef}
        actions={
          <>
            <ButtonLink to={contactWithSubject('Sponsorship Payment Verification')}>Contact us</ButtonLink>
            <ButtonLink variant="line" to={paths.sponsorUs()}>
              Sponsor page
            </ButtonLink>
            <ButtonLink variant="line" to={paths.home()}>
              Back to home
            </ButtonLink>
          </>
        }
      >
        <p role="alert">{payment.sentence}</p>
        <p className="small soft">If you paid, nothing is lost: every payment is checked again within the hour.</p>
      </ResultPage>
    )
  }
  return (
    <ResultPage spot="peach" title="Verifying your sponsorship" titleRef={titleRef}>
      <Spinner text="One moment, please." />
      <NeedsScript email={association.email} />
    </ResultPage>
  )
}

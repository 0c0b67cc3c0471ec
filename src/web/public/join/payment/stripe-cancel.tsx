import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { SupportLine } from '#web/shared/support-line.tsx'
import { useReturnParameters } from '#web/session/return-parameters.ts'
import { useSession } from '#web/session/session.ts'
import { ResultPage } from '#web/ui/result-page.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import type { Route } from './+types/stripe-cancel'

const ADDRESS = { names: [], secrets: ['session_id', 'nonce'] } as const

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Payment cancelled' })
}

export default function StripeCancelPage() {
  const { status } = useSession()
  useReturnParameters<string>(ADDRESS)
  return (
    <ResultPage
      spot="peach"
      title="Payment Cancelled"
      actions={
        <>
          <ButtonLink to={paths.becomeAMember()}>Try Again</ButtonLink>
          <ButtonLink variant="line" to={paths.home()}>
            Back to home
          </ButtonLink>
        </>
      }
    >
      <p>
        {status === 'member'
          ? 'Nothing was charged, and your membership is as it was.'
          : 'Nothing was charged. Your registration is kept for 24 hours: the link in your email leads back to payment.'}
      </p>
      <SupportLine question="Did something go wrong?" />
    </ResultPage>
  )
}

import { contactWithSubject, paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useReturnParameters } from '#web/session/return-parameters.ts'
import { ResultPage } from '#web/ui/result-page.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import type { Route } from './+types/sponsor-cancel'

const ADDRESS = { names: [], secrets: ['session_id', 'nonce'] } as const

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Sponsorship cancelled' })
}

export default function SponsorCancelPage() {
  useReturnParameters<string>(ADDRESS)
  return (
    <ResultPage
      spot="peach"
      title="Sponsorship Cancelled"
      actions={
        <>
          <ButtonLink to={paths.sponsorUs()}>Back to the tiers</ButtonLink>
          <ButtonLink variant="line" to={contactWithSubject('Sponsorship Question')}>
            Contact us
          </ButtonLink>
          <ButtonLink variant="line" to={paths.home()}>
            Back to home
          </ButtonLink>
        </>
      }
    >
      <p>Nothing was charged. You can start again anytime, or tell us what went wrong.</p>
    </ResultPage>
  )
}

import { contactAbout, paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useReturnAddress } from '#web/features/auth/return-address.ts'
import { AnswerPage } from '#web/ui/answer-page.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import type { Route } from './+types/sponsor-cancel'

const ADDRESS = { names: [], secrets: ['session_id', 'nonce'] } as const

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Sponsorship cancelled' })
}

export default function SponsorCancelPage() {
  useReturnAddress<string>(ADDRESS)
  return (
    <AnswerPage
      spot="peach"
      title="Sponsorship Cancelled"
      actions={
        <>
          <ButtonLink to={paths.sponsorUs()}>Back to the tiers</ButtonLink>
          <ButtonLink variant="line" to={contactAbout('Sponsorship Question')}>
            Contact us
          </ButtonLink>
          <ButtonLink variant="line" to={paths.home()}>
            Back to home
          </ButtonLink>
        </>
      }
    >
      <p>Nothing was charged. You may begin again whenever you like, or tell us what kept you.</p>
    </AnswerPage>
  )
}

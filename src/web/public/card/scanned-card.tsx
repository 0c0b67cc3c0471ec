import { useEffect } from 'react'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { viewToken } from '#web/api/view-token.ts'
import { useSession } from '#web/session/session.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { ResultPage } from '#web/ui/result-page.tsx'
import type { Route } from './+types/scanned-card'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Code of a membership card' })
}

/** Where the code of a membership card leads: the same page for every code and every visitor. Officers go on to what the code stands for. */
export default function ScannedCardPage() {
  const { association } = useFrameContents()
  const { status } = useSession()

  useEffect(() => {
    if (status !== 'member' || viewToken() !== null || window.location.hash === '') return
    void import('./open-scan.ts').then(({ openScan }) => openScan(window.location.hash)).catch(() => {})
  }, [status])

  return (
    <ResultPage
      spot="empty"
      title="Code of a membership card"
      actions={
        <ButtonLink variant="line" to={paths.home()}>
          Back to home
        </ButtonLink>
      }
    >
      <p>This code is for membership cards of {association.name}.</p>
      <p>
        It tells nothing by itself: officers of the association check cards at events, after logging in. If you found a
        card or a phone, please contact us.
      </p>
    </ResultPage>
  )
}

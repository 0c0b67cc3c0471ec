import { useEffect, useState, type ReactNode } from 'react'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { useReturnParameters } from '#web/session/return-parameters.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { ResultPage } from '#web/ui/result-page.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Link } from '#web/ui/link.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import type { Route } from './+types/rsvp'

const NAMES = ['token', 'session_id', 'order', 'nonce'] as const
const ADDRESS = { names: NAMES, secrets: NAMES } as const

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Your RSVP' })
}

/** Where links in RSVP emails lead, and where the card provider returns visitors who paid for seats or canceled. */
export default function RsvpPage() {
  const address = useReturnParameters(ADDRESS)
  const { association } = useFrameContents()
  const [panel, setPanel] = useState<ReactNode>(null)
  const [failed, setFailed] = useState(false)

  useEffect(() => {
    if (address === null) return
    const { token, nonce } = address
    const load = async () => {
      if (token !== undefined) {
        const { OwnRsvpPanel } = await import('./own-rsvp.tsx')
        setPanel(<OwnRsvpPanel token={token} />)
      } else if (nonce !== undefined) {
        const { RsvpPaymentPanel } = await import('./rsvp-payment.tsx')
        setPanel(<RsvpPaymentPanel address={address} email={association.email} />)
      }
    }
    load().catch(() => setFailed(true))
  }, [address, association.email])
  const isKnown = address !== null && (address.token ?? address.nonce) !== undefined

  return (
    <ResultPage spot="mail" title="Your RSVP">
      <NeedsScript email={association.email} />
      {address && !isKnown && (
        <Banner tone="bad">This link is incomplete. Please open the link in the email again.</Banner>
      )}
      {failed && (
        <Banner tone="bad" role="alert">
          This page didn't load. Check your connection and reload it.
        </Banner>
      )}
      {panel}
      {(!address || (isKnown && !panel)) && !failed && <Spinner text="Looking for your RSVP..." />}
      <p>
        <Link to={paths.events()}>All events</Link>
      </p>
    </ResultPage>
  )
}

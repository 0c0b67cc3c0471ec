import { useEffect, useState, type ReactNode } from 'react'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/features/association/frame-contents.ts'
import { useReturnAddress } from '#web/features/auth/return-address.ts'
import { NeedsScript } from '#web/features/forms/needs-script.tsx'
import { AnswerPage } from '#web/ui/answer-page.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Link } from '#web/ui/link.tsx'
import { Spinner } from '#web/ui/waiting.tsx'
import type { Route } from './+types/rsvp'

const NAMES = ['token', 'session_id', 'order', 'nonce'] as const
const ADDRESS = { names: NAMES, secrets: NAMES } as const

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Your RSVP' })
}

/** Where the link of a letter about an RSVP leads, and where the card provider sends whoever paid for seats, or would not. */
export default function RsvpPage() {
  const address = useReturnAddress(ADDRESS)
  const { association } = useFrameContents()
  const [panel, setPanel] = useState<ReactNode>(null)
  const [failed, setFailed] = useState(false)

  useEffect(() => {
    if (address === null) return
    const { token, nonce } = address
    const load = async () => {
      if (token !== undefined) {
        const { OwnRsvpPanel } = await import('#web/features/events/own-rsvp.tsx')
        setPanel(<OwnRsvpPanel token={token} />)
      } else if (nonce !== undefined) {
        const { RsvpPaymentPanel } = await import('#web/features/events/rsvp-payment.tsx')
        setPanel(<RsvpPaymentPanel address={address} email={association.email} />)
      }
    }
    load().catch(() => setFailed(true))
  }, [address, association.email])
  const isKnown = address !== null && (address.token ?? address.nonce) !== undefined

  return (
    <AnswerPage spot="mail" title="Your RSVP">
      <NeedsScript email={association.email} />
      {address && !isKnown && (
        <Banner tone="bad">This link is incomplete. Please open the link in the email again.</Banner>
      )}
      {failed && (
        <Banner tone="bad" role="alert">
          This page could not be fetched. Check your connection and load it again.
        </Banner>
      )}
      {panel}
      {(!address || (isKnown && !panel)) && !failed && <Spinner text="Looking for your RSVP..." />}
      <p>
        <Link to={paths.events()}>All events</Link>
      </p>
    </AnswerPage>
  )
}

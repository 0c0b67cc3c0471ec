import { useEffect, useState, type ComponentType } from 'react'
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

const ADDRESS = { names: ['token'], secrets: ['token'] } as const

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Your RSVP' })
}

/** Where the link of a letter about an RSVP leads. */
export default function RsvpPage() {
  const address = useReturnAddress(ADDRESS)
  const { association } = useFrameContents()
  const [Panel, setPanel] = useState<ComponentType<{ token: string }> | null>(null)
  const [failed, setFailed] = useState(false)

  useEffect(() => {
    import('#web/features/events/own-rsvp.tsx').then(
      ({ OwnRsvpPanel }) => setPanel(() => OwnRsvpPanel),
      () => setFailed(true),
    )
  }, [])

  return (
    <AnswerPage spot="mail" title="Your RSVP">
      <NeedsScript email={association.email} />
      {address && !address.token && (
        <Banner tone="bad">This link is incomplete. Please open the link in the email again.</Banner>
      )}
      {failed && (
        <Banner tone="bad" role="alert">
          This page could not be fetched. Check your connection and load it again.
        </Banner>
      )}
      {address?.token && Panel && <Panel token={address.token} />}
      {(!address || (address.token && !Panel)) && !failed && <Spinner text="Looking for your RSVP..." />}
      <p>
        <Link to={paths.events()}>All events</Link>
      </p>
    </AnswerPage>
  )
}

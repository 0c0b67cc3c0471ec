import { useState } from 'react'
import { accountPath, paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { useReturnParameters } from '#web/session/return-parameters.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { Link } from '#web/ui/link.tsx'
import { ResultPage } from '#web/ui/result-page.tsx'
import { EmailLinkButton } from './email-link-button.tsx'
import type { Route } from './+types/topic-unsubscribe'

const ADDRESS = { names: ['token'], secrets: ['token'] } as const

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Unsubscribe from emails to members' })
}

/** Switches one topic of emails to members off, with the token of an email's link; no log-in needed. */
export default function TopicUnsubscribePage() {
  const address = useReturnParameters(ADDRESS)
  const { association } = useFrameContents()
  const [topic, setTopic] = useState<string | null>(null)

  async function unsubscribe(token: string): Promise<void> {
    const { unsubscribeFromTopicWithToken } = await import('./topic.calls.ts')
    setTopic(await unsubscribeFromTopicWithToken(token))
  }

  const settings = <Link to={accountPath('emails')}>email settings of your account</Link>
  if (topic !== null)
    return (
      <ResultPage spot="empty" title="You are unsubscribed">
        <p>
          We won’t send you emails about “{topic}” any more. You can switch them on again in the {settings}.
        </p>
        <p>Notices about your membership still arrive.</p>
      </ResultPage>
    )
  return (
    <ResultPage spot="mail" title="Unsubscribe from emails to members">
      <NeedsScript email={association.email} />
      <EmailLinkButton
        label="Unsubscribe me"
        variant="line"
        busyLabel="Unsubscribing"
        address={address}
        send={unsubscribe}
        next={paths.topicUnsubscribe()}
        fallbackMessage="Failed to unsubscribe. Please try again."
      />
      <p>This stops emails about the topic of the email you came from. It takes effect right away.</p>
      <p>To choose among all topics, use the {settings}. Notices about your membership always arrive.</p>
    </ResultPage>
  )
}

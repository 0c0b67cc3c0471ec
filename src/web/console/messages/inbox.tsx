import { listMessages, MESSAGE_STATES, type MessageEntry, type MessageState } from '#contract/console-messages.ts'
import { formatMoment } from '#contract/dates.ts'
import { ChoiceTabs } from '#web/features/console/choice-tabs.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { messageClock } from '#web/features/console/message-clock.rules.ts'
import { Pager } from '#web/features/console/pager.tsx'
import { SearchField } from '#web/features/console/search-field.tsx'
import { useListAddress } from '#web/features/console/use-list-address.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { Badge } from '#web/ui/badge.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'

const EMPTY: Record<MessageState, string> = {
  open: 'Every message is answered.',
  answered: 'Nothing was answered yet. Answered messages are kept for a year.',
  spam: 'There is no spam. It is kept for 30 days, and never answered.',
}

/** What visitors wrote, with the clock of the promised answer. */
export default function MessagesPage() {
  const { state, words, page, choose, search, turnTo } = useListAddress(MESSAGE_STATES, 'open')
  const found = useLoaded(`${state} ${page} ${words}`, () =>
    callAsOfficer(listMessages, { query: { state, page: String(page), q: words || undefined } }),
  )
  const counts = found.value?.counts

  return (
    <ConsolePage
      title="Messages"
      lead="What visitors wrote. The website promises an answer within 24-48 hours."
      action={
        <ButtonLink variant="line" to="/console/message-templates">
          Templates
        </ButtonLink>
      }
    >
      <ChoiceTabs
        label="Which messages"
        choices={[
          ['open', `To answer${counts ? ` (${counts.open})` : ''}`],
          ['answered', `Answered${counts ? ` (${counts.answered})` : ''}`],
          ['spam', `Spam${counts ? ` (${counts.spam})` : ''}`],
        ]}
        chosen={state}
        onChoose={choose}
      />
      <SearchField label="Search names, addresses and words" initial={words} onSearch={search} />
      <WhenLoaded loaded={found} what="the messages">
        {({ messages, hasMore }) => (
          <>
            {messages.length === 0 && <p className="sheet">{words ? 'Nothing was found.' : EMPTY[state]}</p>}
            <ul className="entries">
              {messages.map((message) => (
                <Entry key={message.id} message={message} />
              ))}
            </ul>
            <Pager page={page} hasMore={hasMore} onPage={turnTo} />
          </>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

function Entry({ message }: { message: MessageEntry }) {
  const { id, name, email, subject, receivedAt, hoursLeft, state, answeredAt, assignee } = message
  const clock = messageClock(hoursLeft)
  return (
    <li className="sheet entry">
      <div>
        <h2>
          <Link to={`/console/messages/${id}`}>{subject}</Link>
        </h2>
        <p>
          {name}, {email}
        </p>
        <p className="small soft">
          {formatMoment(receivedAt)}
          {assignee && ` · ${assignee.name} answers`}
          {answeredAt && ` · answered ${formatMoment(answeredAt)}`}
        </p>
      </div>
      {state === 'open' && <Badge tone={clock.tone}>{clock.words}</Badge>}
    </li>
  )
}

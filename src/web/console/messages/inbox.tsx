import { listMessages, MESSAGE_STATES, type MessageEntry, type MessageState } from '#contract/console/messages.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { ChoiceTabs } from '../forms/choice-tabs.tsx'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { replyDeadline } from './reply-deadline.rules.ts'
import { Pager } from '../shell/pager.tsx'
import { SearchField } from '../forms/search-field.tsx'
import { useListParams } from '../shell/use-list-params.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { Badge } from '#web/ui/badge.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'

const EMPTY: Record<MessageState, string> = {
  open: 'All caught up.',
  answered: 'No closed messages yet. They are kept for a year.',
  spam: 'No spam. It is deleted after 30 days.',
}

/** Contact messages, each with the time left to reply. */
export default function InboxPage() {
  const {
    state,
    query: searchText,
    page,
    setState: choose,
    search,
    setPage: turnTo,
  } = useListParams(MESSAGE_STATES, 'open')
  const found = useLoaded(listMessages, { query: { state, page: String(page), q: searchText || undefined } })
  const counts = found.value?.counts

  return (
    <ConsolePage
      title="Inbox"
      lead="Messages from visitors. The website promises a reply within 24-48 hours."
      action={
        <ButtonLink variant="line" to="/console/message-templates">
          Templates
        </ButtonLink>
      }
    >
      <ChoiceTabs
        label="Message status"
        choices={[
          ['open', `Open${counts ? ` (${counts.open})` : ''}`],
          ['answered', `Closed${counts ? ` (${counts.answered})` : ''}`],
          ['spam', `Spam${counts ? ` (${counts.spam})` : ''}`],
        ]}
        chosen={state}
        onChoose={choose}
      />
      <SearchField label="Search names, addresses and text" initial={searchText} onSearch={search} />
      <WhenLoaded loaded={found} what="the messages">
        {({ messages, hasMore }) => (
          <>
            {messages.length === 0 && <p className="card">{searchText ? 'No results.' : EMPTY[state]}</p>}
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
  const clock = replyDeadline(hoursLeft)
  return (
    <li className="card entry">
      <div>
        <h2>
          <Link to={`/console/messages/${id}`}>{subject}</Link>
        </h2>
        <p>
          {name}, {email}
        </p>
        <p className="small soft">
          {formatMoment(receivedAt)}
          {assignee && ` · ${assignee.name}`}
          {answeredAt && ` · closed ${formatMoment(answeredAt)}`}
        </p>
      </div>
      {state === 'open' && <Badge tone={clock.tone}>{clock.text}</Badge>}
    </li>
  )
}

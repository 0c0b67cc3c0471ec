import { useSearchParams } from 'react-router'
import { listMessages, type MessageEntry } from '#contract/console/messages.ts'
import { formatShortDay } from './message-day.ts'
import { Badge } from '#web/ui/badge.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { SearchField } from '../forms/search-field.tsx'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { Pager } from '../shell/pager.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { PageTabs } from '../ui/page-tabs.tsx'
import { MessageThread } from './message-thread.tsx'
import { replyDeadline } from './reply-deadline.rules.ts'

/** The views of the inbox: what the server is asked for, and what is said when there is nothing. */
const VIEWS = {
  open: { label: 'Open', query: { state: 'open' }, count: 'open', empty: 'All caught up.' },
  mine: { label: 'Mine', query: { state: 'open', assignee: 'me' }, count: 'mine', empty: 'Nothing assigned to you.' },
  unassigned: {
    label: 'Unassigned',
    query: { state: 'open', assignee: 'none' },
    count: 'unassigned',
    empty: 'Every open message has an assignee.',
  },
  answered: {
    label: 'Closed',
    query: { state: 'answered' },
    count: 'answered',
    empty: 'No closed messages yet. They are kept for a year.',
  },
  spam: { label: 'Spam', query: { state: 'spam' }, count: 'spam', empty: 'No spam. It is deleted after 30 days.' },
} as const
type View = keyof typeof VIEWS

const isView = (name: string | null): name is View => name !== null && Object.hasOwn(VIEWS, name)

/** Contact messages beside the one that is open; a phone shows one of the two. */
export default function InboxPage({ id }: { id?: string }) {
  const [params, setParams] = useSearchParams()
  const state = params.get('state')
  const view: View = isView(state) ? state : 'open'
  const query = params.get('q') ?? ''
  const page = Number(params.get('page') ?? 1)
  const { label, query: asked, empty } = VIEWS[view]
  const found = useLoaded(listMessages, { query: { ...asked, page: String(page), q: query || undefined } })
  const counts = found.value?.counts
  const search = params.size > 0 ? `?${params}` : ''

  function change(name: string, value: string) {
    setParams((before) => {
      const next = new URLSearchParams(before)
      next.delete('page')
      if (value === '') next.delete(name)
      else next.set(name, value)
      return next
    })
  }

  return (
    <ConsolePage
      title="Inbox"
      action={
        <ButtonLink variant="line" to="/console/message-templates">
          Templates
        </ButtonLink>
      }
    >
      <PageTabs
        label="Messages"
        tabs={(Object.keys(VIEWS) as View[]).map((one) => ({
          label: VIEWS[one].label,
          to: one === 'open' ? '/console/messages' : `/console/messages?state=${one}`,
          isCurrent: one === view,
          count: counts?.[VIEWS[one].count],
        }))}
      />
      <div className="inbox" data-open={id !== undefined || undefined}>
        <div className="inbox-list">
          <SearchField
            label="Search names, addresses and text"
            initial={query}
            onSearch={(next) => next !== query && change('q', next)}
          />
          <WhenLoaded loaded={found} what="the messages">
            {({ messages, hasMore }) => (
              <>
                {messages.length === 0 && <p className="soft">{query ? 'No results.' : empty}</p>}
                <ul aria-label={`${label} messages`}>
                  {messages.map((message) => (
                    <Entry
                      key={message.id}
                      message={message}
                      to={`/console/messages/${message.id}${search}`}
                      isOpen={message.id === id}
                    />
                  ))}
                </ul>
                <Pager page={page} hasMore={hasMore} onPage={(next) => change('page', next > 1 ? String(next) : '')} />
              </>
            )}
          </WhenLoaded>
        </div>
        <div className="inbox-thread">
          {id === undefined ? (
            <p className="soft inbox-hint">Choose a message.</p>
          ) : (
            <MessageThread key={id} id={id} back={`/console/messages${search}`} onChanged={found.reload} />
          )}
        </div>
      </div>
    </ConsolePage>
  )
}

function Entry({ message, to, isOpen }: { message: MessageEntry; to: string; isOpen: boolean }) {
  const { name, subject, excerpt, receivedAt, hoursLeft, state, assignee } = message
  const clock = replyDeadline(hoursLeft)
  return (
    <li>
      <Link to={to} aria-current={isOpen || undefined} preventScrollReset>
        <span className="inbox-from">
          <b>{name}</b>
          <span className="small soft">{formatShortDay(receivedAt)}</span>
        </span>
        <span className="inbox-from">
          <span className="inbox-subject">{subject}</span>
          {state === 'open' &&
            (assignee ? <Badge tone="quiet">{assignee.name}</Badge> : <Badge tone={clock.tone}>{clock.text}</Badge>)}
        </span>
        <span className="inbox-excerpt small soft">{excerpt}</span>
      </Link>
    </li>
  )
}

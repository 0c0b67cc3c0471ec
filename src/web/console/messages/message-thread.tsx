import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import {
  assignMessage,
  getMessage,
  listTemplates,
  setMessageState,
  type MessageDetail,
  type MessageState,
} from '#contract/console/messages.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { ChoiceTabs } from '../forms/choice-tabs.tsx'
import { ReplyForm } from '../forms/reply-form.tsx'
import { areShortcutsOn, isTyping } from '../frame/use-shortcuts.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { WhenLoaded } from '../shell/console-page.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { showToast } from '../ui/toasts.tsx'
import { MessageNoteForm } from './message-note-form.tsx'
import { replyDeadline } from './reply-deadline.rules.ts'

const MOVES: Record<MessageState, { to: MessageState; label: string; done: string }[]> = {
  open: [
    { to: 'answered', label: 'Close', done: 'Closed.' },
    { to: 'spam', label: 'Mark as spam', done: 'Marked as spam. It will be deleted in 30 days.' },
  ],
  answered: [{ to: 'open', label: 'Reopen', done: 'Reopened.' }],
  spam: [{ to: 'open', label: 'Not spam', done: 'Reopened.' }],
}

/** One message: its assignee, replies and notes, and what to do next. Key: e closes it. */
export function MessageThread({ id, back, onChanged }: { id: string; back: string; onChanged(): void }) {
  const navigate = useNavigate()
  const found = useLoaded(getMessage, { params: { id } })
  const templates = useLoaded(listTemplates)
  const action = useAction()
  const [form, setForm] = useState<'reply' | 'note'>('reply')

  function accept(message: MessageDetail) {
    found.setValue(message)
    onChanged()
  }

  async function move({ version, state }: MessageDetail, to: MessageState, done: string) {
    await action.run(to, async () => {
      const moved = await callAsOfficer(setMessageState, { params: { id }, body: { state: to, version } })
      accept(moved)
      showToast(done, {
        async undo() {
          const body = { state, version: moved.version }
          accept(await callAsOfficer(setMessageState, { params: { id }, body }))
        },
      })
      if (to !== 'open') await navigate(back)
    })
  }

  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    if (key !== 'e' || ctrlKey || metaKey || altKey || event.defaultPrevented) return
    if (isTyping(event) || !areShortcutsOn() || document.querySelector('[role=dialog]')) return
    if (found.value?.state !== 'open') return
    event.preventDefault()
    void move(found.value, 'answered', 'Closed.')
  })
  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])

  return (
    <>
      <p className="inbox-back">
        <Link to={back}>All messages</Link>
      </p>
      <ActionMessages action={action} />
      {action.failure && (
        <Button variant="line" size="small" busy={found.isLoading} busyLabel="Reloading" onClick={found.reload}>
          Reload
        </Button>
      )}
      <WhenLoaded loaded={found} what="the message">
        {(message) => (
          <>
            <header className="thread-head">
              <h2>{message.subject}</h2>
              <StateBadge message={message} />
              <div className="buttons">
                <Assignee
                  message={message}
                  isBusy={action.busy === 'assign'}
                  onAssign={(accountId) =>
                    void action.run('assign', async () =>
                      accept(
                        await callAsOfficer(assignMessage, {
                          params: { id },
                          body: { accountId, version: message.version },
                        }),
                      ),
                    )
                  }
                />
                {MOVES[message.state].map(({ to, label, done }) => (
                  <Button
                    key={to}
                    variant="line"
                    size="small"
                    busy={action.busy === to}
                    busyLabel={label}
                    onClick={() => void move(message, to, done)}
                  >
                    {label}
                  </Button>
                ))}
              </div>
            </header>
            <Entries message={message} />
            {message.state !== 'spam' && (
              <div className="thread-forms">
                <ChoiceTabs
                  label="Reply or note"
                  choices={[
                    ['reply', 'Reply'],
                    ['note', 'Note'],
                  ]}
                  chosen={form}
                  onChoose={(next) => setForm(next)}
                />
                {form === 'reply' ? (
                  <ReplyForm message={message} templates={templates.value?.templates ?? []} onAnswered={accept} />
                ) : (
                  <MessageNoteForm id={id} onAdded={accept} />
                )}
              </div>
            )}
          </>
        )}
      </WhenLoaded>
    </>
  )
}

function StateBadge({ message: { state, hoursLeft } }: { message: MessageDetail }) {
  const clock = replyDeadline(hoursLeft)
  if (state === 'open') return <Badge tone={clock.tone}>{clock.text}</Badge>
  return state === 'answered' ? <Badge tone="ok">Closed</Badge> : <Badge tone="quiet">Spam</Badge>
}

/** The message, and what officers replied and noted, in order. */
function Entries({ message }: { message: MessageDetail }) {
  const { name, email, receivedAt, memberId, answers, notes } = message
  const later = [
    ...answers.map(({ sentAt, mailedAt, ...answer }) => ({
      ...answer,
      at: sentAt,
      what: `Reply, ${mailedAt ? 'sent' : 'sending'}`,
      isNote: false,
    })),
    ...notes.map((note) => ({ ...note, what: 'Note for officers', isNote: true })),
  ].sort((a, b) => (a.at < b.at ? -1 : 1))
  return (
    <ol className="thread">
      <li>
        <p className="thread-by">
          <b>{name}</b>
          <span className="small soft">
            <a href={`mailto:${email}`}>{email}</a>
            {memberId === null ? ', not a member' : <Link to={`/console/members/${memberId}`}>, member</Link>}
          </span>
          <span className="small soft">{formatMoment(receivedAt)}</span>
        </p>
        <p className="preformatted">{message.message}</p>
      </li>
      {later.map(({ id, text, by, at, what, isNote }) => (
        <li key={id} className={isNote ? 'note' : undefined}>
          <p className="thread-by">
            <b>{by}</b>
            <span className="small soft">{what}</span>
            <span className="small soft">{formatMoment(at)}</span>
          </p>
          <p className="preformatted">{text}</p>
        </li>
      ))}
    </ol>
  )
}

function Assignee({
  message: { officers, assignee },
  isBusy,
  onAssign,
}: {
  message: MessageDetail
  isBusy: boolean
  onAssign(accountId: string | null): void
}) {
  const isGone = assignee !== null && !officers.some(({ accountId }) => accountId === assignee.accountId)
  return (
    <select
      className="input"
      aria-label="Assignee"
      disabled={isBusy}
      value={assignee?.accountId ?? ''}
      onChange={(event) => onAssign(event.target.value || null)}
    >
      <option value="">Unassigned</option>
      {isGone && <option value={assignee.accountId}>{assignee.name} (can no longer reply)</option>}
      {officers.map(({ accountId, name }) => (
        <option key={accountId} value={accountId}>
          {name}
        </option>
      ))}
    </select>
  )
}

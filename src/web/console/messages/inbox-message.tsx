import {
  assignMessage,
  getMessage,
  listTemplates,
  setMessageState,
  type MessageDetail,
  type MessageState,
} from '#contract/console/messages.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { ReplyForm } from '../forms/reply-form.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { replyDeadline } from './reply-deadline.rules.ts'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { FieldBox } from '#web/ui/field.tsx'
import { Card } from '#web/ui/card.tsx'

const MOVES: Record<MessageState, { to: MessageState; label: string; done: string }[]> = {
  open: [
    { to: 'answered', label: 'Close without reply', done: 'Closed.' },
    { to: 'spam', label: 'Mark as spam', done: 'Marked as spam. It will be deleted in 30 days.' },
  ],
  answered: [{ to: 'open', label: 'Reopen', done: 'Reopened.' }],
  spam: [{ to: 'open', label: 'Not spam', done: 'Reopened.' }],
}

/** One message: its assignee, the replies and a reply form. */
export default function MessagePage({ id }: { id: string }) {
  const found = useLoaded(getMessage, { params: { id } })
  const templates = useLoaded(listTemplates)
  const action = useAction()

  return (
    <ConsolePage
      title={found.value?.subject ?? 'Message'}
      action={
        <ButtonLink variant="line" to="/console/messages">
          Inbox
        </ButtonLink>
      }
    >
      <ActionMessages action={action} />
      {action.failure && (
        <Button variant="line" size="small" busy={found.isLoading} busyLabel="Reloading" onClick={found.reload}>
          Reload
        </Button>
      )}
      <WhenLoaded loaded={found} what="the message">
        {(message) => (
          <>
            <MessageText message={message} />
            <Assignee
              message={message}
              isBusy={action.busy === 'assign'}
              onAssign={(accountId) =>
                void action.run(
                  'assign',
                  async () =>
                    found.setValue(
                      await callAsOfficer(assignMessage, {
                        params: { id },
                        body: { accountId, version: message.version },
                      }),
                    ),
                  accountId === null ? 'Unassigned.' : 'Assigned.',
                )
              }
            />
            {message.answers.length > 0 && <Replies answers={message.answers} />}
            {message.state !== 'spam' && (
              <ReplyForm message={message} templates={templates.value?.templates ?? []} onAnswered={found.setValue} />
            )}
            <div className="buttons">
              {MOVES[message.state].map(({ to, label, done }) => (
                <Button
                  key={to}
                  variant="line"
                  size="small"
                  busy={action.busy === to}
                  busyLabel={label}
                  onClick={() =>
                    void action.run(
                      to,
                      async () =>
                        found.setValue(
                          await callAsOfficer(setMessageState, {
                            params: { id },
                            body: { state: to, version: message.version },
                          }),
                        ),
                      done,
                    )
                  }
                >
                  {label}
                </Button>
              ))}
            </div>
          </>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

function MessageText({ message: { name, email, receivedAt, hoursLeft, state, message } }: { message: MessageDetail }) {
  const clock = replyDeadline(hoursLeft)
  return (
    <section className="card flow" aria-label="The message">
      <div className="card-head">
        <div>
          <p>
            <strong>{name}</strong>
          </p>
          <p className="break">{email}</p>
          <p className="small soft">{formatMoment(receivedAt)}</p>
        </div>
        {state === 'open' && <Badge tone={clock.tone}>{clock.text}</Badge>}
        {state === 'answered' && <Badge tone="ok">Closed</Badge>}
        {state === 'spam' && <Badge tone="quiet">Spam</Badge>}
      </div>
      <p className="preformatted">{message}</p>
    </section>
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
    <FieldBox id="assignee" label="Assignee">
      <select
        className="input"
        id="assignee"
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
    </FieldBox>
  )
}

function Replies({ answers }: { answers: MessageDetail['answers'] }) {
  return (
    <Card title={answers.length === 1 ? 'Reply' : 'Replies'}>
      <ol className="history">
        {answers.map(({ id, text, by, sentAt, mailedAt }) => (
          <li key={id} className="flow">
            <p className="small soft">
              {by} · {formatMoment(sentAt)} · {mailedAt ? 'sent' : 'sending'}
            </p>
            <p className="preformatted">{text}</p>
          </li>
        ))}
      </ol>
    </Card>
  )
}

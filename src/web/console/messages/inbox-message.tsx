import {
  assignMessage,
  getMessage,
  listTemplates,
  moveMessage,
  type MessageDetail,
  type MessageState,
} from '#contract/console-messages.ts'
import { formatMoment } from '#contract/dates.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { AnswerForm } from '#web/features/console/answer-form.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { messageClock } from '#web/features/console/message-clock.rules.ts'
import { useAction } from '#web/features/console/use-action.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { FieldBox } from '#web/ui/field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const MOVES: Record<MessageState, { to: MessageState; label: string; done: string }[]> = {
  open: [
    { to: 'answered', label: 'Take off the list without a letter', done: 'It is off the list.' },
    { to: 'spam', label: 'It is spam', done: 'It is spam: off the list, never answered, and gone in 30 days.' },
  ],
  answered: [{ to: 'open', label: 'Put back on the list', done: 'It waits for an answer again.' }],
  spam: [{ to: 'open', label: 'Not spam', done: 'It waits for an answer again.' }],
}

/** One message: who answers it, the answers, and a new one. */
export default function MessagePage({ id }: { id: string }) {
  const found = useLoaded(id, () => callAsOfficer(getMessage, { params: { id } }))
  const templates = useLoaded('templates', async () => (await callAsOfficer(listTemplates)).templates)
  const action = useAction()

  return (
    <ConsolePage
      title={found.value?.subject ?? 'Message'}
      action={
        <ButtonLink variant="line" to="/console/messages">
          All messages
        </ButtonLink>
      }
    >
      <ActionMessages action={action} />
      {action.failure && (
        <Button variant="line" size="small" busy={found.isLoading} busyLabel="Looking" onClick={found.reload}>
          Look again
        </Button>
      )}
      <WhenLoaded loaded={found} what="the message">
        {(message) => (
          <>
            <Words message={message} />
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
                  accountId === null ? 'Nobody is asked for now.' : 'It is written down who answers.',
                )
              }
            />
            {message.answers.length > 0 && <Answers answers={message.answers} />}
            {message.state !== 'spam' && (
              <AnswerForm
                message={message}
                templates={templates.value ?? []}
                onAnswered={found.setValue}
                reload={found.reload}
              />
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
                          await callAsOfficer(moveMessage, {
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

function Words({ message: { name, email, receivedAt, hoursLeft, state, message } }: { message: MessageDetail }) {
  const clock = messageClock(hoursLeft)
  return (
    <section className="sheet flow" aria-label="The message">
      <div className="sheet-head">
        <div>
          <p>
            <strong>{name}</strong>
          </p>
          <p className="break">{email}</p>
          <p className="small soft">{formatMoment(receivedAt)}</p>
        </div>
        {state === 'open' && <Badge tone={clock.tone}>{clock.words}</Badge>}
        {state === 'answered' && <Badge tone="ok">Answered</Badge>}
        {state === 'spam' && <Badge tone="quiet">Spam</Badge>}
      </div>
      <p className="as-written">{message}</p>
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
    <FieldBox id="assignee" label="Who answers" hint="So that two of you do not write at once.">
      <select
        className="input"
        id="assignee"
        disabled={isBusy}
        value={assignee?.accountId ?? ''}
        onChange={(event) => onAssign(event.target.value || null)}
      >
        <option value="">Nobody yet</option>
        {isGone && <option value={assignee.accountId}>{assignee.name} (may answer no longer)</option>}
        {officers.map(({ accountId, name }) => (
          <option key={accountId} value={accountId}>
            {name}
          </option>
        ))}
      </select>
    </FieldBox>
  )
}

function Answers({ answers }: { answers: MessageDetail['answers'] }) {
  return (
    <Sheet title={answers.length === 1 ? 'The answer' : 'The answers'}>
      <ol className="history">
        {answers.map(({ id, text, by, sentAt, mailedAt }) => (
          <li key={id} className="flow">
            <p className="small soft">
              {by} · {formatMoment(sentAt)} · {mailedAt ? 'mailed' : 'waits for the mail server'}
            </p>
            <p className="as-written">{text}</p>
          </li>
        ))}
      </ol>
    </Sheet>
  )
}

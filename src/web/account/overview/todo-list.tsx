import { useEffect, useRef, useState } from 'react'
import { accountPath, contentPaths } from '#web/app/paths.ts'
import { useViewer } from '#web/session/viewer.ts'
import { ManageBilling } from '#web/shared/manage-billing.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { accountIcons } from '../account-icons.ts'
import { Box } from '../box.tsx'
import { useAttempt } from '../use-attempt.ts'
import type { TodoItem } from './todo.rules.ts'

// Most visits need no answer.
const loadAnswers = () => import('./decline-event.ts')

const ICONS: Record<TodoItem['kind'], keyof typeof accountIcons> = {
  pay: 'clock',
  renew: 'renew',
  email: 'emails',
  credentials: 'verify',
  confirm: 'event',
  answer: 'event',
}

interface TodoListProps {
  items: readonly TodoItem[]
  /** Whether the page's main button stands elsewhere. */
  isMainTaken: boolean
  onChanged(): Promise<void>
}

/** What waits for the member. An event that was declined stays until the page is left, so that it can be undone. */
export function TodoList({ items, isMainTaken, onChanged }: TodoListProps) {
  const [declined, setDeclined] = useState<TodoItem | null>(null)
  const first = items.find(({ kind }) => kind === 'pay' || kind === 'renew')
  const undone = declined && !items.some(({ key }) => key === declined.key) ? declined : null
  return (
    <Box
      title="To do"
      flush
      aside={items.length > 0 && <span className="box-count">{items.length}</span>}
      className="todo-box"
    >
      {items.length === 0 && <p className="box-body soft">All caught up.</p>}
      {items.length > 0 && (
        <ul className="todo">
          {items.map((item) => (
            <li key={item.key} data-kind={item.kind}>
              <span className="todo-icon">
                <Icon d={accountIcons[ICONS[item.kind]]} />
              </span>
              <h3>{item.title}</h3>
              <p>{item.text}</p>
              <div className="buttons">
                <TodoAction
                  item={item}
                  isMain={!isMainTaken && item === first}
                  onDeclined={async () => {
                    setDeclined(item)
                    await onChanged()
                  }}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
      <div role="status">
        {undone?.kind === 'answer' && (
          <Declined
            key={undone.key}
            event={undone.event}
            onUndone={async () => {
              await onChanged()
              setDeclined(null)
            }}
          />
        )}
      </div>
    </Box>
  )
}

interface TodoActionProps {
  item: TodoItem
  isMain: boolean
  onDeclined(): Promise<void>
}

function TodoAction({ item, isMain, onDeclined }: TodoActionProps) {
  const variant = isMain ? 'solid' : 'line'
  switch (item.kind) {
    case 'renew':
      return <ManageBilling label={item.label} variant={variant} />
    case 'email':
    case 'credentials':
      return (
        <ButtonLink variant={variant} size="small" to={`${accountPath('profile')}#${item.kind}`}>
          {item.label}
        </ButtonLink>
      )
    case 'pay':
    case 'confirm':
      return item.url === null ? null : (
        <ButtonLink variant={variant} size="small" to={item.url} reloadDocument>
          {item.label}
        </ButtonLink>
      )
    case 'answer':
      return <Answer event={item.event} onDeclined={onDeclined} />
  }
}

function Answer({ event, onDeclined }: { event: { id: string; title: string }; onDeclined(): Promise<void> }) {
  const { isMemberView } = useViewer()
  const { isBusy, hasFailed, run } = useAttempt(async () => {
    const { decline } = await loadAnswers()
    await decline(event.id)
    await onDeclined()
  })
  return (
    <>
      <ButtonLink
        variant="line"
        size="small"
        to={`${contentPaths.event(event.id)}#rsvp`}
        aria-label={`Going to ${event.title}`}
      >
        Going
      </ButtonLink>
      {!isMemberView && (
        <Button
          variant="line"
          size="small"
          aria-label={`Can’t go to ${event.title}`}
          busy={isBusy}
          busyLabel="Saving"
          onClick={run}
        >
          Can’t go
        </Button>
      )}
      {hasFailed && <p role="alert">Your answer could not be saved. Please try again.</p>}
    </>
  )
}

function Declined({ event, onUndone }: { event: { id: string; title: string }; onUndone(): Promise<void> }) {
  const ref = useRef<HTMLParagraphElement>(null)
  const { isBusy, hasFailed, run } = useAttempt(async () => {
    const { undo } = await loadAnswers()
    await undo(event.id)
    await onUndone()
  })
  // The button that was pressed is gone.
  useEffect(() => {
    if (document.activeElement === document.body) ref.current?.focus()
  }, [])
  return (
    <p className="box-foot" ref={ref} tabIndex={-1}>
      {event.title}: you can’t go.{' '}
      <button type="button" className="text-button" aria-busy={isBusy || undefined} onClick={run}>
        Undo
      </button>
      {hasFailed && <span role="alert"> That did not work. Please try again.</span>}
    </p>
  )
}

import type { getToday } from '#contract/console/console.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { Badge } from '#web/ui/badge.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Link } from '#web/ui/link.tsx'
import { ICONS } from '../ui/console-icons.ts'
import { Panel } from '../ui/panel.tsx'
import { TASK_TEXT } from './task-text.ts'

type Task = ReplyOf<typeof getToday>['tasks'][number]

const URGENCY = {
  late: { tone: 'bad', label: 'Late' },
  soon: { tone: 'warn', label: 'Due soon' },
  calm: { tone: 'quiet', label: 'No due date' },
} as const

/** What waits for this officer, most urgent first, each with the way to do it. */
export function WorkList({ tasks }: { tasks: readonly Task[] }) {
  return (
    <Panel title="Needs attention" action={<Count count={tasks.length} />} isFlush>
      {tasks.length === 0 ? (
        <p className="box-body">All caught up.</p>
      ) : (
        <ul className="work">
          {tasks.map((task) => (
            <WorkItem key={task.key} task={task} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Count({ count }: { count: number }) {
  return count > 0 ? <span className="soft">{count === 1 ? '1 task' : `${count} tasks`}</span> : null
}

function WorkItem({ task: { key, count, urgency, detail } }: { task: Task }) {
  const { icon, label, none, open } = TASK_TEXT[key]
  const text = count === 0 && none !== undefined ? none : label(count)
  const { tone, label: due } = URGENCY[urgency]
  return (
    <li>
      <span className={`work-icon ${tone}`}>
        <Icon d={ICONS[icon]} strokeWidth={1.9} />
      </span>
      <h3>
        {open ? <Link to={open.path}>{text}</Link> : text} {urgency !== 'calm' && <Badge tone={tone}>{due}</Badge>}
      </h3>
      {detail && <p>{detail}</p>}
      {open && (
        <div className="buttons">
          <ButtonLink variant="line" size="small" to={open.path}>
            {open.label}
            <span className="visually-hidden">: {text}</span>
          </ButtonLink>
        </div>
      )}
    </li>
  )
}

import { getToday } from '#contract/console/console.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { TASK_TEXT } from '../shell/task-text.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Link } from '#web/ui/link.tsx'

const URGENCY = { late: ['bad', 'Late'], soon: ['warn', 'Due soon'], calm: ['quiet', 'No due date'] } as const

/** The console's home page: tasks that need attention, and key figures. */
export default function HomePage() {
  const today = useLoaded(getToday)
  return (
    <ConsolePage title="Home" lead="Needs attention, most urgent first.">
      <WhenLoaded loaded={today} what="tasks">
        {({ tasks, figures }) => (
          <>
            {tasks.length === 0 ? (
              <p className="card">All caught up.</p>
            ) : (
              <ul className="tasks">
                {tasks.map(({ key, count, urgency, detail }) => {
                  const text = TASK_TEXT[key]
                  const isCounted = count > 0 || text.none === undefined
                  const { path } = text
                  const label = isCounted ? text.label : text.none
                  const [tone, urgencyLabel] = URGENCY[urgency]
                  return (
                    <li key={key} className="card task">
                      {isCounted && <span className="task-count">{count}</span>}
                      <div>
                        <h2>{path ? <Link to={path}>{label}</Link> : label}</h2>
                        {detail && <p className="soft">{detail}</p>}
                      </div>
                      <Badge tone={tone}>{urgencyLabel}</Badge>
                    </li>
                  )
                })}
              </ul>
            )}
            <dl className="console-figures">
              {figures.map(({ label, value }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

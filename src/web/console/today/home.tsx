import { getToday } from '#contract/console.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { TASK_WORDS } from '#web/features/console/tasks.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Link } from '#web/ui/link.tsx'

const URGENCY = { late: ['bad', 'Late'], soon: ['warn', 'Soon'], calm: ['quiet', 'When you can'] } as const

/** What needs somebody today. */
export default function TodayPage() {
  const today = useLoaded('today', () => callAsOfficer(getToday))
  return (
    <ConsolePage title="Today" lead="What needs somebody, the most urgent first.">
      <WhenLoaded loaded={today} what="what waits">
        {({ tasks, figures }) => (
          <>
            {tasks.length === 0 ? (
              <p className="sheet">Nothing waits. Every message is answered, every promise kept.</p>
            ) : (
              <ul className="tasks">
                {tasks.map(({ key, count, urgency, detail }) => {
                  const words = TASK_WORDS[key]
                  const isCounted = count > 0 || words.none === undefined
                  const { path } = words
                  const label = isCounted ? words.label : words.none
                  const [tone, word] = URGENCY[urgency]
                  return (
                    <li key={key} className="sheet task">
                      {isCounted && <span className="task-count">{count}</span>}
                      <div>
                        <h2>{path ? <Link to={path}>{label}</Link> : label}</h2>
                        {detail && <p className="soft">{detail}</p>}
                      </div>
                      <Badge tone={tone}>{word}</Badge>
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

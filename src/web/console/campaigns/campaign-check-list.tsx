import { Badge } from '#web/ui/badge.tsx'
import { Panel } from '../ui/panel.tsx'
import type { CampaignCheck } from './campaign-checks.rules.ts'

/** What to look at before sending, with what is missing. */
export function CampaignCheckList({ checks }: { checks: readonly CampaignCheck[] }) {
  return (
    <Panel title="Checks">
      <ul className="checks">
        {checks.map(({ level, text }) => (
          <li key={text}>
            <Badge tone={level === 'stop' ? 'bad' : level}>
              {level === 'ok' ? 'OK' : level === 'warn' ? 'Check' : 'Missing'}
            </Badge>
            {text}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

import type { Permission } from '#contract/access.ts'
import { getToday } from '#contract/console/console.ts'
import { getHomeFigures } from '#contract/console/reports.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useCurrentOfficer } from '../shell/current-officer.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { IncomeFigure, longDay, MembersFigure, RenewalsFigure } from './home-figures.tsx'
import { NextEvents } from './next-events.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { WorkList } from './work-list.tsx'

/** The console's home page: what needs attention, figures, recent activity and the next events. */
export default function HomePage() {
  const officer = useCurrentOfficer()
  const today = useLoaded(getToday)
  const figures = useLoaded(getHomeFigures)
  const may = (permission: Permission) => officer?.permissions.includes(permission) ?? false
  return (
    <ConsolePage title="Home" lead={figures.value ? longDay(figures.value.today) : undefined}>
      <WhenLoaded loaded={today} what="tasks">
        {({ tasks }) => <WorkList tasks={tasks} />}
      </WhenLoaded>
      <WhenLoaded loaded={figures} what="figures">
        {({ members, renewals, income }) => (
          <div className="figures-row">
            {members && <MembersFigure members={members} />}
            {renewals && <RenewalsFigure renewals={renewals} />}
            {income && <IncomeFigure income={income} />}
          </div>
        )}
      </WhenLoaded>
      <div className="halves">
        {may('audit.look') && <RecentActivity />}
        {may('events.run') && <NextEvents />}
      </div>
    </ConsolePage>
  )
}

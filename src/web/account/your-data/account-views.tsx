import { formatMoment } from '#contract/dates/dates.ts'
import { Skeleton } from '#web/ui/loading.tsx'
import { Box } from '../box.tsx'
import { MemberDataProblem, useMemberData } from '../member-data.tsx'
import { getAccountViews } from './data.calls.ts'

/** When officers viewed the site as the member, and why (decision record 18). */
export function AccountViews() {
  const state = useMemberData(getAccountViews)
  const views = state.step === 'shown' ? state.value : []
  return (
    <Box title="Who viewed your account" flush>
      {state.step === 'loading' && (
        <div className="box-body">
          <Skeleton height="3rem" />
        </div>
      )}
      <MemberDataProblem state={state} what="This list" />
      {state.step === 'shown' && views.length === 0 && <p className="box-body soft">No officer has viewed it.</p>}
      {views.length > 0 && (
        <ul className="account-rows">
          {views.map(({ startedAt, endedAt, reason }) => (
            <li key={startedAt}>
              <div>
                <strong>An officer viewed the site as you</strong>
                <p>
                  {formatMoment(startedAt)}
                  {endedAt && `, for ${minutesBetween(startedAt, endedAt)}`}: {reason}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Box>
  )
}

function minutesBetween(startedAt: string, endedAt: string): string {
  const minutes = Math.max(1, Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 60_000))
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

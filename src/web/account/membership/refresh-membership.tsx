import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import type { AccountPageProps } from '../account-frame.tsx'

type Refreshing = Pick<AccountPageProps, 'isRefreshing' | 'refresh'>

export function RefreshMembership({ isRefreshing, refresh }: Refreshing) {
  return (
    <Button variant="line" size="small" busy={isRefreshing} busyLabel="Refreshing" onClick={() => void refresh()}>
      Refresh membership
    </Button>
  )
}

/** Why the membership could not be refreshed; what is shown stays. */
export function RefreshProblem({ refreshProblem }: Pick<AccountPageProps, 'refreshProblem'>) {
  return (
    refreshProblem && (
      <Banner tone="bad" role="alert">
        {refreshProblem}
      </Banner>
    )
  )
}

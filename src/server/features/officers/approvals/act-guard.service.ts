import type { AppContext } from '#server/app-context.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { Db } from '#server/db/database.ts'
import { Problem } from '#server/lib/problem.ts'
import { actRefusal, type ActRefusal, type OfficerAct } from '../officer-acts.rules.ts'
import { holdsRoleFrom, rolesOn } from '../officer.queries.ts'

/** An act of one officer on one account. */
export interface OfficerActRequest {
  act: OfficerAct
  /** Account id of the officer. */
  by: string
  /** Id of the account that the act changes. */
  on: string
}

/** Authorizes acts of officers on accounts, by the roles that both hold now. */
export function createActAuthorizer({ clock, timeZone }: AppContext) {
  /** Returns why the act is refused; null if it is allowed. */
  async function refusal(handle: Db, { act, by, on }: OfficerActRequest): Promise<ActRefusal | null> {
    const today = dayOf(clock.now(), timeZone)
    const roles = await rolesOn(handle, by, today)
    const holdsRole = await holdsRoleFrom(handle, on, today)
    return actRefusal(act, { accountId: by, roles }, { accountId: on, holdsRole })
  }

  return {
    refusal,
    /**
     * Call it in the transaction of the act, after locking the account: roles may have changed meanwhile.
     * @throws Problem
     */
    async require(handle: Db, request: OfficerActRequest): Promise<void> {
      const code = await refusal(handle, request)
      if (code !== null) throw new Problem(code)
    },
  }
}

export type ActAuthorizer = ReturnType<typeof createActAuthorizer>

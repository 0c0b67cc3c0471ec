import { dayOf } from '#contract/dates.ts'
import type { Db } from '#server/db/database.ts'
import type { Clock } from '#server/platform/clock.ts'
import { Problem } from '#server/platform/problem.ts'
import { actRefusal, type ActRefusal, type OfficerAct } from './officer-acts.rules.ts'
import { holdsRoleFrom, rolesOn } from './officer.repository.ts'

/** An act of one officer on the account of one person. */
export interface ActOnAccount {
  act: OfficerAct
  /** The officer's account. */
  by: string
  /** The account it is done to. */
  on: string
}

/** Whether an officer may do something to an account, by the roles that both hold at this moment. */
export interface ActGuard {
  /** Why not; null when it is allowed. */
  refusal(handle: Db, asked: ActOnAccount): Promise<ActRefusal | null>
  /** Call it in the transaction of the act, once the account is locked: a role may have been given or ended meanwhile. @throws Problem */
  require(handle: Db, asked: ActOnAccount): Promise<void>
}

export function createActGuard({ clock, timeZone }: { clock: Clock; timeZone: string }): ActGuard {
  async function refusal(handle: Db, { act, by, on }: ActOnAccount): Promise<ActRefusal | null> {
    const today = dayOf(clock.now(), timeZone)
    const roles = await rolesOn(handle, by, today)
    const holdsRole = await holdsRoleFrom(handle, on, today)
    return actRefusal(act, { accountId: by, roles }, { accountId: on, holdsRole })
  }

  return {
    refusal,
    async require(handle, asked) {
      const code = await refusal(handle, asked)
      if (code !== null) throw new Problem(code)
    },
  }
}

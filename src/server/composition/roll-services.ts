import type { AppContext } from '#server/app-context.ts'
import type { MemberAudiences } from '#server/features/member-email/audience.service.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import type { DeathReports } from '#server/features/person-state/death-reports.service.ts'
import type { PersonStateService } from '#server/features/person-state/person-state.service.ts'
import { createOwnRolls } from '#server/features/roll/own-rolls.service.ts'
import { createRollService } from '#server/features/roll/roll.service.ts'
import { createRollCallAnswers } from '#server/features/roll-call/roll-call-answers.service.ts'
import { createRollCallPost } from '#server/features/roll-call/roll-call-post.service.ts'
import { createRollCallService } from '#server/features/roll-call/roll-call.service.ts'

/** The services of roll calls and rolls. */
export function createRollServices(
  ctx: AppContext,
  {
    audiences,
    deathReports,
    personStates,
    guard,
  }: {
    audiences: MemberAudiences
    deathReports: DeathReports
    personStates: PersonStateService
    guard: ActAuthorizer
  },
) {
  const rollCallAnswers = createRollCallAnswers(ctx, { reports: deathReports })
  return {
    rollCallAnswers,
    rollCalls: createRollCallService(ctx, { audiences, answers: rollCallAnswers, guard, people: personStates }),
    rollCallPost: createRollCallPost(ctx, { audiences }),
    rolls: createRollService(ctx, { audiences, guard }),
    ownRolls: createOwnRolls(ctx),
  }
}

import type { AppContext } from '#server/app-context.ts'
import { createDirectoryChoiceService } from '#server/features/directory/directory-choice.service.ts'
import { createDirectoryMessages } from '#server/features/directory/directory-messages.service.ts'
import { createDirectoryService } from '#server/features/directory/directory.service.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'

/** The directory of members, the choice to be in it, and messages through it. */
export function createDirectoryServices(ctx: AppContext, { guard }: { guard: ActAuthorizer }) {
  const directory = createDirectoryService(ctx)
  return {
    directory,
    directoryChoices: createDirectoryChoiceService(ctx, { directory, guard }),
    directoryMessages: createDirectoryMessages(ctx, { directory }),
  }
}

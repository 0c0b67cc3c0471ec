import type { Server } from '#server/http/serve.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import type { EffectHandler } from '#server/platform/outbox-worker.ts'
import { createAccountLetters } from './account.letters.ts'
import { accountRoutes } from './account.routes.ts'
import { createAccountService } from './account.service.ts'
import { createDeletionService, type DeletionService } from './deletion.service.ts'
import { createDevicesService } from './devices.service.ts'
import { createEmailChangeService, type EmailChangeService } from './email-change.service.ts'
import { createPersonalDataService } from './personal-data.service.ts'

type Tools = Parameters<typeof createAccountService>[0] &
  Parameters<typeof createEmailChangeService>[0] &
  Parameters<typeof createDevicesService>[0] &
  Parameters<typeof createDeletionService>[0] &
  Omit<Parameters<typeof createPersonalDataService>[0], 'accounts'> &
  Parameters<typeof createAccountLetters>[0]

export interface AccountFeatures {
  routes(server: Server): void
  letters: Record<string, (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>>
  effects: Record<string, EffectHandler>
  /** Also for officers, who correct an address or end an account. */
  emailChanges: EmailChangeService
  deletions: DeletionService
}

/** What a person may change of the account, and what becomes of it. */
export function createAccountFeatures(tools: Tools): AccountFeatures {
  const accounts = createAccountService(tools)
  const emailChanges = createEmailChangeService(tools)
  const devices = createDevicesService(tools)
  const personalData = createPersonalDataService({ ...tools, accounts })
  const deletions = createDeletionService(tools)
  return {
    routes: (server) => accountRoutes(server, { accounts, emailChanges, devices, personalData, deletions }),
    letters: createAccountLetters(tools),
    effects: { ...emailChanges.effects, ...deletions.effects },
    emailChanges,
    deletions,
  }
}

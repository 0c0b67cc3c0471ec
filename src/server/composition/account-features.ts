import type { Server } from '#server/http/serve.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'
import type * as accountEffects from '#server/features/my-account/account.effects.ts'
import { accountRoutes } from '#server/features/my-account/account.routes.ts'
import { createAccountService } from '#server/features/my-account/account.service.ts'
import { createDeletionService, type DeletionService } from '#server/features/my-account/deletion/deletion.service.ts'
import { createDevicesService } from '#server/features/my-account/devices.service.ts'
import {
  createEmailChangeService,
  type EmailChangeService,
} from '#server/features/my-account/email-change/email-change.service.ts'
import { createPersonalDataService } from '#server/features/my-account/personal-data.service.ts'

type Tools = Parameters<typeof createAccountService>[0] &
  Parameters<typeof createEmailChangeService>[0] &
  Parameters<typeof createDevicesService>[0] &
  Parameters<typeof createDeletionService>[0] &
  Omit<Parameters<typeof createPersonalDataService>[0], 'accounts'>

export interface AccountFeatures {
  routes(server: Server): void
  effects: HandlersOf<(typeof accountEffects)[keyof typeof accountEffects]>
  /** Also used by the console, where officers change an email address or end an account. */
  emailChanges: EmailChangeService
  deletions: DeletionService
}

/** Assembles the account features: profile, email address, devices, personal data and deletion. */
export function createAccountFeatures(tools: Tools): AccountFeatures {
  const accounts = createAccountService(tools)
  const emailChanges = createEmailChangeService(tools)
  const devices = createDevicesService(tools)
  const personalData = createPersonalDataService({ ...tools, accounts })
  const deletions = createDeletionService(tools)
  return {
    routes: (server) => accountRoutes(server, { accounts, emailChanges, devices, personalData, deletions }),
    effects: { ...emailChanges.effects, ...deletions.effects },
    emailChanges,
    deletions,
  }
}

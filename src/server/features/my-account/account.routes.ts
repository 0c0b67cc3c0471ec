import { changePassword, deleteAccount, updateProfile } from '#contract/public/account-changes.ts'
import { downloadData, listAccountViews } from '#contract/public/account-data.ts'
import { listDevices, signOutDevice, signOutEverywhere } from '#contract/public/account-devices.ts'
import { listMemberEmails, setMemberNewsletter } from '#contract/public/my-account/member-emails.ts'
import { getAccountHome } from '#contract/public/my-account/account-home.ts'
import { declineEvent, undoDecline } from '#contract/public/my-account/declined-events.ts'
import { changeEmail, confirmEmail, stopEmailChange } from '#contract/public/account-email.ts'
import { getProfile } from '#contract/public/account.ts'
import type { Server } from '#server/http/serve.ts'
import { signedIn } from '#server/http/signed-in.ts'
import type { MemberRsvps } from '#server/features/rsvps/of-member/member-rsvps.service.ts'
import type { AccountHomeService } from './account-home.service.ts'
import type { AccountService } from './account.service.ts'
import type { DeletionService } from './deletion/deletion.service.ts'
import type { DevicesService } from './devices.service.ts'
import type { EmailChangeService } from './email-change/email-change.service.ts'
import type { MemberEmailsService } from './member-emails.service.ts'
import type { PersonalDataService } from './personal-data.service.ts'

export function accountRoutes(
  server: Server,
  services: {
    accounts: AccountService
    emailChanges: EmailChangeService
    devices: DevicesService
    personalData: PersonalDataService
    deletions: DeletionService
    accountHome: AccountHomeService
    memberRsvps: Pick<MemberRsvps, 'decline' | 'undoDecline'>
    memberEmails: MemberEmailsService
  },
): void {
  const { accounts, emailChanges, devices, personalData, deletions, accountHome, memberRsvps, memberEmails } = services

  server.serve(getProfile, ({ caller }) => accounts.profile(signedIn(caller).accountId))

  server.serve(getAccountHome, ({ caller }) => accountHome.read(signedIn(caller).accountId, caller?.viewer))

  server.serve(declineEvent, ({ caller, params }) => memberRsvps.decline(signedIn(caller).accountId, params.id))

  server.serve(undoDecline, ({ caller, params }) => memberRsvps.undoDecline(signedIn(caller).accountId, params.id))

  server.serve(listMemberEmails, ({ caller }) => memberEmails.list(signedIn(caller).accountId))

  server.serve(setMemberNewsletter, async ({ caller, body }) => ({
    newsletter: await memberEmails.setNewsletter(signedIn(caller).accountId, body.isWanted),
  }))

  server.serve(updateProfile, async ({ caller, body }) => ({
    profile: await accounts.updateProfile(signedIn(caller).accountId, body),
  }))

  server.serve(changePassword, async ({ caller, body, userAgent }) => ({
    token: await accounts.changePassword(signedIn(caller).accountId, body, userAgent),
  }))

  server.serve(changeEmail, async ({ caller, body }) => {
    await emailChanges.request(signedIn(caller).accountId, body)
    return {
      message: 'Please open the email we sent to the new address. Nothing changes until you confirm it there.',
    }
  })

  server.serve(confirmEmail, ({ body }) => emailChanges.confirm(body.token))

  server.serve(stopEmailChange, async ({ body }) => {
    await emailChanges.stop(body.token)
    return { success: true as const }
  })

  server.serve(listDevices, ({ caller }) => devices.list(signedIn(caller)))

  server.serve(signOutDevice, ({ caller, params }) => devices.signOut(signedIn(caller), params.id))

  server.serve(signOutEverywhere, async ({ caller, userAgent }) => ({
    token: await devices.signOutEverywhere(signedIn(caller), userAgent),
  }))

  server.serve(downloadData, ({ caller }) => personalData.read(signedIn(caller).accountId))

  server.serve(listAccountViews, ({ caller }) => personalData.views(signedIn(caller).accountId))

  server.serve(deleteAccount, async ({ caller, body }) => {
    await deletions.delete(signedIn(caller).accountId, body.password)
    return {
      success: true as const,
      message: 'Your account has been deactivated. Your membership ends at the close of the current billing period.',
    }
  })
}

import type { ConsoleMember } from '#contract/console/member.ts'
import {
  addMember,
  requestMemberEmail,
  endMember,
  getMemberForm,
  planMemberEnd,
  withdrawMemberEmail,
} from '#contract/console/member-account.ts'
import { requireOfficer, type Officer, type Server } from '#server/http/serve.ts'
import type { AddMemberService } from './add-member.service.ts'
import type { MemberAccountService } from './member-account.service.ts'
import type { MemberPageService } from '../member-page.service.ts'

/** Each action returns the updated member. */
export function memberAccountRoutes(
  server: Server,
  {
    memberPage,
    memberAccounts,
    memberAdding,
  }: { memberPage: MemberPageService; memberAccounts: MemberAccountService; memberAdding: AddMemberService },
): void {
  async function after(
    { officer, params }: { officer: Officer | null; params: { id: string } },
    act: (by: Officer, id: string) => Promise<void>,
  ): Promise<ConsoleMember> {
    const by = requireOfficer(officer)
    await act(by, params.id)
    return memberPage.describe(by, params.id)
  }
  const mayRecordPayments = (by: Officer) => by.permissions.includes('money.change')

  server.serve(getMemberForm, ({ officer }) =>
    memberAdding.form({ mayRecordPayments: mayRecordPayments(requireOfficer(officer)) }),
  )
  server.serve(
    addMember,
    async ({ officer, body }) => {
      const by = requireOfficer(officer)
      const actor = { accountId: by.accountId, mayRecordPayments: mayRecordPayments(by) }
      return { id: await memberAdding.add(actor, body) }
    },
    // Someone who has an account is found before a code is used up.
    ({ officer, body }) => memberAdding.check({ mayRecordPayments: mayRecordPayments(requireOfficer(officer)) }, body),
  )
  server.serve(requestMemberEmail, (call) => after(call, (by, id) => memberAccounts.changeEmail(by, id, call.body)))
  server.serve(withdrawMemberEmail, (call) => after(call, memberAccounts.withdrawEmail))
  server.serve(planMemberEnd, ({ officer, params, query }) =>
    memberAccounts.planEnd(requireOfficer(officer), params.id, query.ending),
  )
  server.serve(endMember, (call) => after(call, (by, id) => memberAccounts.end(by, id, call.body)))
}

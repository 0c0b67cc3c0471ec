import { correctPayment, voidPayment } from '#contract/console/money/hand-payments.ts'
import {
  disableMember,
  editMember,
  enableMember,
  getMember,
  openReceipt,
  refundPayment,
  resendEmail,
  resendReceipt,
  sendPasswordReset,
  setTerm,
  stopRenewal,
} from '#contract/console/member.ts'
import type { ConsoleMember } from '#contract/console/member.ts'
import { requireOfficer, type Officer, type Server } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import type { MemberActionsService } from './member-actions.service.ts'
import type { MemberPageService } from './member-page.service.ts'
import type { ReceiptService } from '#server/features/memberships/billing/receipt.service.ts'

/** Each action returns the updated member. */
export function memberDetailRoutes(
  server: Server,
  {
    memberPage,
    memberActions,
    receipts,
  }: { memberPage: MemberPageService; memberActions: MemberActionsService; receipts: ReceiptService },
): void {
  async function after(
    { officer, params }: { officer: Officer | null; params: { id: string } },
    act: (by: Officer, id: string) => Promise<void>,
  ): Promise<ConsoleMember> {
    const by = requireOfficer(officer)
    await act(by, params.id)
    return memberPage.describe(by, params.id)
  }

  server.serve(getMember, ({ officer, params }) => memberPage.describe(requireOfficer(officer), params.id))
  server.serve(editMember, (call) => after(call, (by, id) => memberActions.edit(by, id, call.body)))
  server.serve(disableMember, (call) => after(call, (by, id) => memberActions.disable(by, id, call.body.reason)))
  server.serve(enableMember, (call) => after(call, memberActions.enable))
  server.serve(sendPasswordReset, (call) => after(call, memberActions.sendReset))
  server.serve(resendEmail, (call) => after(call, (by, id) => memberActions.resendEmail(by, id, call.params.letter)))
  server.serve(resendReceipt, (call) =>
    after(call, (by, id) => memberActions.resendReceipt(by, id, call.params.payment)),
  )
  server.serveFile(openReceipt, async ({ params }) => {
    const receipt = await receipts.render(await memberActions.findPayment(params.id, params.payment))
    if (!receipt) throw new Problem('NOT_FOUND')
    return { filename: receipt.filename, content: receipt.pdf }
  })
  server.serve(setTerm, (call) => after(call, (by, id) => memberActions.setTerm(by, id, call.body)))
  server.serve(voidPayment, (call) =>
    after(call, (by, id) => memberActions.voidManualPayment(by, id, { paymentId: call.params.payment, ...call.body })),
  )
  server.serve(correctPayment, (call) =>
    after(call, (by, id) =>
      memberActions.correctManualPayment(by, id, { paymentId: call.params.payment, ...call.body }),
    ),
  )
  server.serve(stopRenewal, (call) => after(call, (by, id) => memberActions.stopRenewal(by, id, call.body)))
  server.serve(refundPayment, (call) =>
    after(call, (by, id) => memberActions.refund(by, id, { paymentId: call.params.payment, reason: call.body.reason })),
  )
}

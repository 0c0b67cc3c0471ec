import {
  closeRollCall,
  downloadRollCallLabels,
  downloadRollCallPost,
  getRollCall,
  listRollCalls,
  recordLostContact,
  recordRollCallAnswer,
  startRollCall,
} from '#contract/console/people/roll-call.ts'
import { answerOwnRollCall, answerRollCall, getOwnRollCall } from '#contract/public/my-account/still-here.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import { signedIn } from '#server/http/signed-in.ts'
import type { RollCallAnswers } from './roll-call-answers.service.ts'
import type { RollCallPost } from './roll-call-post.service.ts'
import type { RollCallService } from './roll-call.service.ts'

export function rollCallRoutes(
  server: Server,
  {
    rollCalls,
    rollCallAnswers: answers,
    rollCallPost: post,
  }: { rollCalls: RollCallService; rollCallAnswers: RollCallAnswers; rollCallPost: RollCallPost },
): void {
  server.serve(listRollCalls, ({ officer }) => rollCalls.list(requireOfficer(officer)))
  server.serve(startRollCall, ({ officer, body }) => rollCalls.start(requireOfficer(officer), body))
  server.serve(closeRollCall, ({ officer, params }) => rollCalls.close(requireOfficer(officer), params.id))
  server.serve(getRollCall, ({ officer, params, query }) => rollCalls.read(requireOfficer(officer), params.id, query))
  server.serve(recordRollCallAnswer, ({ officer, params, body }) =>
    rollCalls.record(requireOfficer(officer), params.id, body),
  )
  server.serve(recordLostContact, ({ officer, params, body }) =>
    rollCalls.recordLost(requireOfficer(officer), params.id, body),
  )
  server.serveFile(downloadRollCallPost, ({ officer, params }) => post.file(requireOfficer(officer), params.id))
  server.serveFile(downloadRollCallLabels, ({ officer, params }) => post.labels(requireOfficer(officer), params.id))

  server.serve(answerRollCall, async ({ body }) => ({ outcome: await answers.byLink(body) }))
  server.serve(getOwnRollCall, ({ caller }) => answers.own(signedIn(caller).accountId))
  server.serve(answerOwnRollCall, async ({ caller, body }) => ({
    outcome: await answers.byMember(signedIn(caller).accountId, body.answer),
  }))
}

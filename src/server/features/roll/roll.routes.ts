import {
  answerRollObjection,
  downloadRoll,
  freezeRoll,
  getRoll,
  listRolls,
  sealRoll,
} from '#contract/console/people/roll.ts'
import { listOwnRolls, objectToRoll, readRoll } from '#contract/public/my-account/own-rolls.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import { signedIn } from '#server/http/signed-in.ts'
import type { OwnRolls } from './own-rolls.service.ts'
import type { RollService } from './roll.service.ts'

export function rollRoutes(server: Server, { rolls, ownRolls }: { rolls: RollService; ownRolls: OwnRolls }): void {
  server.serve(listRolls, ({ officer }) => rolls.list(requireOfficer(officer)))
  server.serve(freezeRoll, ({ officer, body }) => rolls.freeze(requireOfficer(officer), body))
  server.serve(getRoll, ({ officer, params, query }) => rolls.read(requireOfficer(officer), params.id, query))
  server.serve(answerRollObjection, ({ officer, params, body }) => rolls.answer(requireOfficer(officer), params, body))
  server.serve(sealRoll, ({ officer, params }) => rolls.seal(requireOfficer(officer), params.id))
  server.serveFile(downloadRoll, ({ officer, params }) => rolls.file(requireOfficer(officer), params.id))

  server.serve(listOwnRolls, ({ caller }) => ownRolls.list(signedIn(caller).accountId))
  server.serve(readRoll, ({ caller, params, query }) =>
    ownRolls.read(signedIn(caller).accountId, params.id, Number(query.page ?? '1')),
  )
  server.serve(objectToRoll, ({ caller, params, body }) =>
    ownRolls.object(signedIn(caller).accountId, params.id, body.text),
  )
}

import {
  dismissDeathReports,
  getPersonState,
  reportDeath,
  setPersonState,
} from '#contract/console/people/person-state.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { PersonStateService } from './person-state.service.ts'

export function personStateRoutes(server: Server, people: PersonStateService): void {
  server.serve(getPersonState, ({ officer, params }) => people.describe(requireOfficer(officer), params.id))
  server.serve(reportDeath, ({ officer, params, body }) =>
    people.report(requireOfficer(officer), params.id, body.source),
  )
  server.serve(dismissDeathReports, ({ officer, params, body }) =>
    people.dismissReports(requireOfficer(officer), params.id, body.reason),
  )
  server.serve(setPersonState, ({ officer, params, body }) => people.set(requireOfficer(officer), params.id, body))
}

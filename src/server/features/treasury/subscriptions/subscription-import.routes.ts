import {
  importSubscriptions,
  listSubscriptionImports,
  reviewSubscriptions,
  undoSubscriptionImport,
} from '#contract/console/money/subscription-imports.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { SubscriptionImports } from './subscription-imports.service.ts'
import type { SubscriptionReviews } from './subscription-review.service.ts'

export function subscriptionImportRoutes(
  server: Server,
  { reviews, imports }: { reviews: SubscriptionReviews; imports: SubscriptionImports },
): void {
  server.serve(reviewSubscriptions, ({ officer, body }) => reviews.review(requireOfficer(officer), body))
  server.serve(importSubscriptions, ({ officer, body }) => reviews.import(requireOfficer(officer), body))
  server.serve(listSubscriptionImports, () => imports.list())
  server.serve(undoSubscriptionImport, ({ officer, params }) => imports.undo(requireOfficer(officer), params.id))
}

import { addCoupon, endCoupon, listCoupons } from '#contract/console/coupons.ts'
import { requireOfficer, type Officer, type Server } from '#server/http/serve.ts'
import type { CouponsService } from './coupons.service.ts'

export function couponsRoutes(server: Server, coupons: CouponsService): void {
  const list = async (officer: Officer | null) => ({
    ...(await coupons.list()),
    mayChange: requireOfficer(officer).permissions.includes('money.change'),
  })
  server.serve(listCoupons, ({ officer }) => list(officer))
  server.serve(addCoupon, async ({ officer, body }) => {
    await coupons.add(requireOfficer(officer), body)
    return list(officer)
  })
  server.serve(endCoupon, async ({ officer, params }) => {
    await coupons.end(requireOfficer(officer), params.id)
    return list(officer)
  })
}

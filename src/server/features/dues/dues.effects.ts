import { z } from 'zod'
import { defineEffect } from '#server/jobs/define-effect.ts'

const coupon = z.object({ couponId: z.string() })
const level = z.object({ levelKey: z.string() })

export const makeCoupon = defineEffect({ kind: 'payment.make_coupon', payload: coupon, priority: 'personal' })
export const deactivateCoupon = defineEffect({ kind: 'payment.end_coupon', payload: coupon, priority: 'personal' })
export const ensurePrice = defineEffect({ kind: 'payment.ensure_price', payload: level, priority: 'personal' })
export const renameLevel = defineEffect({ kind: 'payment.rename_level', payload: level, priority: 'personal' })

export const movePrice = defineEffect({
  kind: 'payment.move_price',
  payload: z.object({ changeId: z.string(), subscriptionId: z.string() }),
  priority: 'bulk',
})

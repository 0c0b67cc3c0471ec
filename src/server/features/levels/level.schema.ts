import * as z from 'zod/mini'
import { termUnit } from '#contract/public/membership.ts'

/** The largest dues, in cents. */
const MAX_AMOUNT = 10_000_000

/** The levels on sale in a content file. They are not content: memberships, payments and prices refer to them. */
export const levelsSchema = z.array(
  z.object({
    key: z.string().check(z.regex(/^[a-z]+(_[a-z]+)*$/, 'use lowercase letters joined by underscores')),
    name: z.string(),
    description: z.string(),
    unitAmount: z.int().check(z.gte(0), z.lte(MAX_AMOUNT)),
    currency: z.string().check(z.regex(/^[a-z]{3}$/, 'use a code such as usd')),
    interval: z.optional(termUnit),
    intervalCount: z.optional(z.int().check(z.gte(1), z.lte(36))),
  }),
)
export type LevelsFile = z.infer<typeof levelsSchema>

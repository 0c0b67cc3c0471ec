import * as z from 'zod/mini'

const limit = z.object({ limit: z.int().check(z.gte(1)), windowSeconds: z.int().check(z.gte(1)) })

/** What an officer may change without a developer: rows of `setting`, one for each top-level key, filled from `content/settings.yaml`. */
export const settingsSchema = z.object({
  association: z.object({
    name: z.string().check(z.minLength(1)),
    shortName: z.string().check(z.minLength(1)),
    foundedYear: z.int(),
    email: z.email(),
    address: z.object({
      street: z.string(),
      suite: z.string(),
      city: z.string(),
      region: z.string(),
      postalCode: z.string(),
    }),
    mapLink: z.url(),
    socialLinks: z.array(z.object({ label: z.string(), url: z.url() })),
  }),
  membership: z.object({ graceDays: z.int().check(z.gte(0)) }),
  session: z.object({ days: z.int().check(z.gte(1)) }),
  rateLimits: z.object({
    login: limit,
    loginWrongPassword: limit,
    register: limit,
    registerPerEmail: limit,
    verifyEmail: limit,
    verificationCodePerEmail: limit,
    resetPassword: limit,
    resendVerification: limit,
    forgotPassword: limit,
    lettersPerEmail: limit,
    startCheckout: limit,
    openPortal: limit,
    verifyCheckoutSession: limit,
    paymentStatus: limit,
  }),
})

export type Settings = z.infer<typeof settingsSchema>

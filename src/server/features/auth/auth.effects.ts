import { z } from 'zod'
import { defineEffect } from '#server/jobs/define-effect.ts'

const payload = z.object({ email: z.string() })

// Requests that are decided after the response, so that response times reveal nothing.
export const resendVerification = defineEffect({ kind: 'auth.resend_verification', payload, priority: 'security' })
export const forgotPassword = defineEffect({ kind: 'auth.forgot_password', payload, priority: 'security' })

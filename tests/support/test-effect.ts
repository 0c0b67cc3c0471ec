import { z } from 'zod'
import { defineEffect } from '#server/jobs/define-effect.ts'

/** An effect that the site does not know, with any payload. */
export const testEffect = (kind = 'test') =>
  defineEffect({ kind, payload: z.record(z.string(), z.unknown()), priority: 'personal' })

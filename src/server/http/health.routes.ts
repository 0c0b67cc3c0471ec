import type { FastifyInstance, FastifyRequest } from 'fastify'
import { remembered } from '../platform/remembered.ts'

/** One thing to look at; `check` says in a sentence what is wrong, null when it is fine. */
export interface ReadinessCheck {
  name: string
  /** Whether the site cannot serve without it. */
  isNeeded: boolean
  check(): Promise<string | null>
  /** Said when `check` fails or takes too long. */
  whenSilent: string
}

export interface Finding {
  check: string
  reason: string
}

const CHECK_TIMEOUT_MS = 3_000

export interface HealthOptions {
  checks: readonly ReadinessCheck[]
  /** What a webmaster likes to see beside the verdict; told only when it can serve. */
  facts(): Promise<Record<string, string | number | null>>
  /** Whether somebody may know more than the verdict. */
  mayReadDetails(request: FastifyRequest): boolean
  isLeaving(): boolean
  /** All who ask within this time share one look. */
  lookEveryMs: number
}

/**
 * `/healthz`: the process is alive. `/readyz`: 503 when it cannot serve, 200 when it can; with the reasons and with warnings about everything that somebody
 * should look at and another instance would not do better, for those who may read them (decision record 13).
 */
export function healthRoutes(
  app: FastifyInstance,
  { checks, facts, mayReadDetails, isLeaving, lookEveryMs }: HealthOptions,
): void {
  const lookNow = async (): Promise<{ status: string; reasons: Finding[]; warnings: Finding[] }> => {
    const reasons = await look(checks.filter(({ isNeeded }) => isNeeded))
    // Without the database nothing else could be said.
    if (reasons.length > 0) return { status: 'not ready', reasons, warnings: [] }
    const warnings = await look(checks.filter(({ isNeeded }) => !isNeeded))
    return { status: 'ready', reasons, warnings, ...(await facts().catch(() => ({}))) }
  }
  const staying = remembered(lookEveryMs, lookNow)
  // A process that was just asked to stop says so at once.
  const leaving = remembered(lookEveryMs, lookNow)

  app.get('/healthz', (_request, reply) => reply.send({ status: 'alive' }))
  app.get('/readyz', async (request, reply) => {
    const found = await (isLeaving() ? leaving() : staying())
    return reply
      .code(found.reasons.length > 0 ? 503 : 200)
      .send(mayReadDetails(request) ? found : { status: found.status })
  })
}

/** What is wrong now, each with its reason; a check that fails or takes over 3 s has its own. */
export async function look(checks: readonly ReadinessCheck[]): Promise<Finding[]> {
  const findings = await Promise.all(checks.map(describe))
  return findings.filter((finding) => finding !== null)
}

async function describe({ name, check, whenSilent }: ReadinessCheck): Promise<Finding | null> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, CHECK_TIMEOUT_MS, whenSilent)
  })
  try {
    const reason = await Promise.race([check(), timeout])
    return reason === null ? null : { check: name, reason }
  } catch {
    return { check: name, reason: whenSilent }
  } finally {
    clearTimeout(timer)
  }
}

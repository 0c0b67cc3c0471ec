import type { FastifyInstance, FastifyRequest } from 'fastify'
import { cacheFor } from '#server/lib/cache-for.ts'

/** A health check; `check` returns a message describing the problem, null when healthy. */
export interface ReadinessCheck {
  name: string
  /** Whether the site cannot serve without it. */
  isRequired: boolean
  check(): Promise<string | null>
  /** The message when `check` throws or times out. */
  failureMessage: string
}

export interface Finding {
  check: string
  reason: string
}

const CHECK_TIMEOUT_MS = 3_000

export interface HealthOptions {
  checks: readonly ReadinessCheck[]
  /** Additional values for the webmaster; included only when the site can serve. */
  readDetails(): Promise<Record<string, string | number | null>>
  /** Whether the client may see more than the status. */
  mayReadDetails(request: FastifyRequest): boolean
  isDraining(): boolean
  /** Results are cached for this long. */
  cacheMs: number
}

/**
 * `/healthz`: the process is alive. `/readyz`: 200 when the site can serve, 503 when it cannot; for authorized clients with the reasons, and with warnings
 * about problems that another instance would have as well (decision record 13).
 */
export function healthRoutes(
  app: FastifyInstance,
  { checks, readDetails, mayReadDetails, isDraining, cacheMs }: HealthOptions,
): void {
  const runChecks = async (): Promise<{ status: string; reasons: Finding[]; warnings: Finding[] }> => {
    const reasons = await runHealthChecks(checks.filter(({ isRequired }) => isRequired))
    // Without the database no other check could run.
    if (reasons.length > 0) return { status: 'not ready', reasons, warnings: [] }
    const warnings = await runHealthChecks(checks.filter(({ isRequired }) => !isRequired))
    return { status: 'ready', reasons, warnings, ...(await readDetails().catch(() => ({}))) }
  }
  const cachedResult = cacheFor(cacheMs, runChecks)
  // Cached separately, so that a process that starts shutting down reports it immediately.
  const cachedDrainResult = cacheFor(cacheMs, runChecks)

  app.get('/healthz', (_request, reply) => reply.send({ status: 'alive' }))
  app.get('/readyz', async (request, reply) => {
    const result = await (isDraining() ? cachedDrainResult() : cachedResult())
    return reply
      .code(result.reasons.length > 0 ? 503 : 200)
      .send(mayReadDetails(request) ? result : { status: result.status })
  })
}

/** Runs the checks and returns the failures; a check that throws or takes over 3 s fails with `failureMessage`. */
export async function runHealthChecks(checks: readonly ReadinessCheck[]): Promise<Finding[]> {
  const findings = await Promise.all(checks.map(runCheck))
  return findings.filter((finding) => finding !== null)
}

async function runCheck({ name, check, failureMessage }: ReadinessCheck): Promise<Finding | null> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, CHECK_TIMEOUT_MS, failureMessage)
  })
  try {
    const reason = await Promise.race([check(), timeout])
    return reason === null ? null : { check: name, reason }
  } catch {
    return { check: name, reason: failureMessage }
  } finally {
    clearTimeout(timer)
  }
}

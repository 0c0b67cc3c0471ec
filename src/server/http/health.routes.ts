import type { FastifyInstance } from 'fastify'

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

/**
 * `/healthz`: the process is alive. `/readyz`: 503 with the reasons when it cannot serve; 200 when it can, with warnings about everything that somebody
 * should look at and another instance would not do better (decision record 13).
 */
export function healthRoutes(
  app: FastifyInstance,
  checks: readonly ReadinessCheck[],
  /** What a webmaster likes to see beside the verdict; told only when it can serve. */
  facts: () => Promise<Record<string, string | number | null>>,
): void {
  app.get('/healthz', (_request, reply) => reply.send({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    const reasons = await look(checks.filter(({ isNeeded }) => isNeeded))
    // Without the database nothing else could be said.
    if (reasons.length > 0) return reply.code(503).send({ status: 'not ready', reasons, warnings: [] })
    const warnings = await look(checks.filter(({ isNeeded }) => !isNeeded))
    return reply.send({ status: 'ready', reasons, warnings, ...(await facts().catch(() => ({}))) })
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

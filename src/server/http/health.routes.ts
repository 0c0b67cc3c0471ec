import type { FastifyInstance } from 'fastify'

/** One thing the site needs; `reason` says in a sentence what is wrong, null when it is fine. */
export interface ReadinessCheck {
  name: string
  check(): Promise<string | null>
}

const CHECK_TIMEOUT_MS = 3_000

/** `/healthz`: the process is alive. `/readyz`: it can serve; 503 with the reasons when not (design 9). */
export function healthRoutes(
  app: FastifyInstance,
  checks: readonly ReadinessCheck[],
  /** What a webmaster likes to see beside the verdict; told only when all is well. */
  facts: () => Promise<Record<string, string | number | null>>,
): void {
  app.get('/healthz', (_request, reply) => reply.send({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    const reasons = (await Promise.all(checks.map(describe))).filter((reason) => reason !== null)
    return reply.code(reasons.length === 0 ? 200 : 503).send({
      status: reasons.length === 0 ? 'ready' : 'not ready',
      reasons,
      ...(reasons.length === 0 && (await facts().catch(() => ({})))),
    })
  })
}

async function describe({ name, check }: ReadinessCheck): Promise<{ check: string; reason: string } | null> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, CHECK_TIMEOUT_MS, 'It does not answer.')
  })
  try {
    const reason = await Promise.race([check(), timeout])
    return reason === null ? null : { check: name, reason }
  } catch {
    return { check: name, reason: 'It cannot be reached.' }
  } finally {
    clearTimeout(timer)
  }
}

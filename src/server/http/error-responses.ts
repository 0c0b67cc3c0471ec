import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseUnavailable } from '../db/failures.ts'
import { Problem } from '#server/lib/problem.ts'
import { stopReading } from './bodies/unread-bodies.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    reportsSuccess?: boolean
  }
}

const UNAVAILABLE_RETRY_SECONDS = 5

/** Turns errors into responses; the only place that does. */
export function handleErrors(
  app: FastifyInstance,
  handleNotFound?: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  app.setErrorHandler((error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const problem = toProblem(error)
    const isUnread = request.body instanceof Readable && !request.raw.complete
    if (problem.code === 'TOO_LARGE' || isUnread) {
      // A refused client may still be sending tens of megabytes.
      void reply.header('connection', 'close')
      stopReading(request.raw)
    }
    if (problem.code === 'INTERNAL') request.log.error({ err: error }, 'unexpected failure')
    if (problem.code === 'UNAVAILABLE')
      request.log.error({ reason: String((error as Error).message) }, 'database unavailable')
    return sendProblem(reply, problem, request.routeOptions.config.reportsSuccess)
  })
  app.setNotFoundHandler((request, reply) => {
    const isPageRequest = request.method === 'GET' || request.method === 'HEAD'
    if (!handleNotFound || !isPageRequest || /^\/api(\/|$|\?)/.test(request.url)) {
      return sendProblem(reply, new Problem('NOT_FOUND'))
    }
    reply.hijack()
    handleNotFound(request.raw, reply.raw)
    return reply
  })
}

export function sendProblem(reply: FastifyReply, problem: Problem, reportsSuccess = false): FastifyReply {
  if (problem.rate) void reply.header('retry-after', problem.rate.retryAfter)
  if (problem.code === 'UNAVAILABLE') void reply.header('retry-after', UNAVAILABLE_RETRY_SECONDS)
  return reply
    .code(problem.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(problem.toBody(reportsSuccess)))
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isDatabaseUnavailable(error)) return new Problem('UNAVAILABLE')
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Problem('UNSUPPORTED_MEDIA_TYPE')
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Problem('TOO_LARGE')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Problem('BAD_JSON')
  return new Problem('INTERNAL')
}

import type { FastifyInstance } from 'fastify'
import type { Clock } from '#server/lib/clock.ts'
import type { Limit, RateLimiter } from '#server/limits/rate-limiter.ts'
import type { CookieJar } from './cookies.ts'
import { acceptRawBodies, disableBodyParsing } from './create-http.ts'
import { createMemoryLimiter } from './memory-limiter.ts'
import { Server, type Caller, type ServeTools } from './serve.ts'

/** Registers every endpoint; endpoints with signed bodies or uploads need different body parsers. */
export async function serveEndpoints(
  http: FastifyInstance,
  {
    clock,
    limiter,
    cookies,
    rateLimitFactor,
    limitOf: findLimit,
    isClosedTo,
    requireServed,
    authenticate,
    views,
    admitOfficer,
    routes,
    rawRoutes,
    uploadRoutes,
  }: {
    clock: Clock
    limiter: RateLimiter
    cookies: CookieJar
    rateLimitFactor: number | null
    limitOf(endpointName: string): Limit | undefined
    isClosedTo: ServeTools['isClosedTo']
    requireServed: ServeTools['requireServed']
    authenticate(token: string): Promise<Caller>
    views: ServeTools['views']
    admitOfficer: ServeTools['admitOfficer']
    routes(server: Server): void
    rawRoutes(server: Server): void
    uploadRoutes(server: Server): void
  },
): Promise<void> {
  const tools: ServeTools = {
    app: http,
    clock,
    limiter,
    findLimit,
    isClosedTo,
    requireServed,
    authenticate,
    views,
    admitOfficer,
    cookies,
    memoryLimiter: createMemoryLimiter(clock, rateLimitFactor),
  }
  const server = new Server(tools)
  routes(server)
  server.refuseOtherMethods()
  await http.register(async (raw) => {
    acceptRawBodies(raw)
    const rawServer = new Server({ ...tools, app: raw })
    rawRoutes(rawServer)
    rawServer.refuseOtherMethods()
  })
  await http.register(async (uploads) => {
    disableBodyParsing(uploads)
    const uploadServer = new Server({ ...tools, app: uploads })
    uploadRoutes(uploadServer)
    uploadServer.refuseOtherMethods()
  })
}

// Looks at pages as it is told by messages, one after the other: Lighthouse keeps its state for the whole process, so those that look at once need one each.
import { lookAt, type LookAnswer, type LookOrder } from '../lighthouse-look.ts'

/**
 * Lighthouse asks a frame that has just gone (the map, when it moves on) to attach to its own frames, and leaves the refusal unhandled: that would end the
 * whole run. Any other rejection ends it as before.
 */
process.on('unhandledRejection', (error) => {
  if ((error as { protocolMethod?: string }).protocolMethod === 'Target.setAutoAttach') return
  throw error
})
process.on('message', ({ url, port, categories }: LookOrder) => {
  lookAt(url, port, categories).then(
    (look) => process.send?.({ look } satisfies LookAnswer),
    (error: unknown) => process.send?.({ problem: String((error as Error).message) } satisfies LookAnswer),
  )
})

// Runs Lighthouse on request, one page at a time: Lighthouse keeps state in the process, so parallel runs need a process each.
import { runLighthouse, type LighthouseResponse, type LighthouseRequest } from '../lighthouse-run.ts'

/**
 * Lighthouse tries to attach to a frame that has just been removed (the map, when it navigates) and leaves the rejection unhandled, which would end the
 * whole run. Any other rejection still ends it.
 */
process.on('unhandledRejection', (error) => {
  if ((error as { protocolMethod?: string }).protocolMethod === 'Target.setAutoAttach') return
  throw error
})
process.on('message', ({ url, port, categories }: LighthouseRequest) => {
  runLighthouse(url, port, categories).then(
    (look) => process.send?.({ look } satisfies LighthouseResponse),
    (error: unknown) => process.send?.({ problem: String((error as Error).message) } satisfies LighthouseResponse),
  )
})

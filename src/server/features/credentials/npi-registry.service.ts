import type { RegistryRecord } from '#contract/console/credentials.ts'
import type { AppContext } from '#server/app-context.ts'
import { Problem } from '#server/lib/problem.ts'
import { readRegistryReply } from './npi-registry.rules.ts'

const TIMEOUT_MS = 5_000
const VERSION = '2.1'

/** Looks numbers up in the registry of `NPI_REGISTRY_URL`; null without that setting. The request has the number and nothing else. */
export function createNpiRegistry({ config: { npiRegistryUrl: url }, log }: Pick<AppContext, 'config' | 'log'>) {
  if (url === null) return null
  return {
    /** null if no one has the number. @throws Problem REGISTRY_UNAVAILABLE */
    async find(npi: string): Promise<RegistryRecord | null> {
      try {
        const response = await fetch(`${url}/?${new URLSearchParams({ version: VERSION, number: npi })}`, {
          headers: { accept: 'application/json' },
          redirect: 'error',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
        if (!response.ok) {
          await response.body?.cancel()
          throw new Error(`status ${response.status}`)
        }
        return readRegistryReply(await response.json(), npi)
      } catch (error) {
        log.warn({ reason: (error as Error).name }, 'the NPI registry gave no answer')
        throw new Problem('REGISTRY_UNAVAILABLE')
      }
    },
  }
}

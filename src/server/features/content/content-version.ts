import { createHash } from 'node:crypto'
import type { Standing } from './content-state.rules.ts'

/** Another after every save, and after an import that changed what visitors see. */
export function versionOf({ shown, newest }: Standing): string {
  const seen = createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 16)
  return `${newest?.number ?? 0}-${seen}`
}

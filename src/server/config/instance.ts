import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { readOrCreateFile } from './session-secret.ts'

/**
 * A name shared by successive processes of this instance: `INSTANCE_NAME`, or the data directory and port, since instances sharing a data directory have
 * different ports. null when the directory is not writable, so that the next process cannot know it.
 */
export function resolveInstanceName({ dataDirectory, port, instanceName }: Config): string | null {
  if (instanceName !== null) return instanceName
  try {
    const folder = readOrCreateFile(join(dataDirectory, 'instance-id'), () => randomBytes(12).toString('hex')).trim()
    // A power failure may leave the file empty, which identifies nothing.
    return folder === '' ? null : `${folder}:${port}`
  } catch {
    return null
  }
}

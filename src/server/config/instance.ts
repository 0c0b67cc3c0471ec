import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { readOrMakeFile } from './session-secret.ts'

/**
 * The name that every process of this instance has, one after the other: `INSTANCE_NAME`, or the data folder and the port, since instances that share a data
 * folder have different ports. null when the folder takes no files, so that the next process cannot know.
 */
export function instanceNameOf({ dataDirectory, port, instanceName }: Config): string | null {
  if (instanceName !== null) return instanceName
  try {
    const folder = readOrMakeFile(join(dataDirectory, 'instance-id'), () => randomBytes(12).toString('hex')).trim()
    // A power cut may leave the file empty: then it says nothing.
    return folder === '' ? null : `${folder}:${port}`
  } catch {
    return null
  }
}

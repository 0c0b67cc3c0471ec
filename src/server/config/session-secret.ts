import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The secret kept in the data folder, made at the first start. Two instances starting at once end with the same one. */
export function readOrMakeSessionSecret(dataDirectory: string): string {
  const file = sessionSecretFile(dataDirectory)
  mkdirSync(dataDirectory, { recursive: true })
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, randomBytes(48).toString('base64url'), { mode: 0o600 })
    try {
      linkSync(draft, file) // fails when another instance was first
    } catch {
      // the other's secret is read below
    } finally {
      rmSync(draft, { force: true })
    }
    return readFileSync(file, 'utf8').trim()
  }
}

/** Where it is kept unless the environment says it. */
export function sessionSecretFile(dataDirectory: string): string {
  return join(dataDirectory, 'session-secret')
}

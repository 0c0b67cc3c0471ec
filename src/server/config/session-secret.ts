import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ConfigError } from './config.ts'
import { MIN_SECRET_BYTES } from './cross-checks.ts'

/**
 * The secret kept in the data folder, made at the first start. Two instances starting at once end with the same one.
 * @throws ConfigError when the file holds too little to be one: whoever guesses it makes log-ins of his own
 */
export function readOrMakeSessionSecret(dataDirectory: string): string {
  const secret = readOrMakeFile(sessionSecretFile(dataDirectory), () => randomBytes(48).toString('base64url')).trim()
  if (Buffer.byteLength(secret) >= MIN_SECRET_BYTES) return secret
  throw new ConfigError([
    `${sessionSecretFile(dataDirectory)} is shorter than ${MIN_SECRET_BYTES} bytes, as a power cut may leave it: put back the session-secret of a backup, or remove the file. With a new one everybody is signed out and links in letters end.`,
  ])
}

/** Where it is kept unless the environment says it. */
export function sessionSecretFile(dataDirectory: string): string {
  return join(dataDirectory, 'session-secret')
}

/** What a file holds, which is made with this content when there is none. Two instances starting at once read the same. */
export function readOrMakeFile(file: string, makeContent: () => string): string {
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true })
  try {
    return readFileSync(file, 'utf8')
  } catch {
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, makeContent(), { mode: 0o600, flush: true })
    try {
      linkSync(draft, file) // fails when another instance was first
    } catch {
      // the other's file is read below
    } finally {
      rmSync(draft, { force: true })
    }
    flushFolder(folder)
    return readFileSync(file, 'utf8')
  }
}

/** The name outlives a power cut as well, where the system can say so: everything is signed with it from now on. */
function flushFolder(path: string): void {
  try {
    const folder = openSync(path, 'r')
    fsyncSync(folder)
    closeSync(folder)
  } catch {
    // A folder that cannot be opened so is as safe as it was.
  }
}

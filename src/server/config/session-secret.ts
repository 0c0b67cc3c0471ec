import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ConfigError } from './config.ts'
import { MIN_SECRET_BYTES } from './cross-checks.ts'

/**
 * Returns the secret stored in the data directory, generated at the first start. Two instances starting at the same time get the same one.
 * @throws ConfigError when the stored secret is too short: anyone who guesses it can forge sessions
 */
export function readOrCreateSessionSecret(dataDirectory: string): string {
  const secret = readOrCreateFile(sessionSecretFile(dataDirectory), () => randomBytes(48).toString('base64url')).trim()
  if (Buffer.byteLength(secret) >= MIN_SECRET_BYTES) return secret
  throw new ConfigError([
    `${sessionSecretFile(dataDirectory)} is shorter than ${MIN_SECRET_BYTES} bytes, possibly after a power failure: restore the session-secret file from a backup, or delete it. With a new secret, everyone is signed out and links in emails no longer work.`,
  ])
}

/** Where the secret is stored unless it is set in the environment. */
export function sessionSecretFile(dataDirectory: string): string {
  return join(dataDirectory, 'session-secret')
}

/** Returns a file's content, creating it with `makeContent` when missing. Two instances starting at the same time read the same content. */
export function readOrCreateFile(file: string, makeContent: () => string): string {
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true })
  try {
    return readFileSync(file, 'utf8')
  } catch {
    const temporaryFile = `${file}.${process.pid}`
    writeFileSync(temporaryFile, makeContent(), { mode: 0o600, flush: true })
    try {
      linkSync(temporaryFile, file) // Throws when another instance was first.
    } catch {
      // The other instance's file is read below.
    } finally {
      rmSync(temporaryFile, { force: true })
    }
    flushFolder(folder)
    return readFileSync(file, 'utf8')
  }
}

/** Makes the new file name survive a power failure, where the system supports it: everything is signed with this secret from now on. */
function flushFolder(path: string): void {
  try {
    const folder = openSync(path, 'r')
    fsyncSync(folder)
    closeSync(folder)
  } catch {
    // Some systems cannot open folders; nothing to do there.
  }
}

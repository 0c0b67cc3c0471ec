import { verify } from 'node:crypto'
import * as z from 'zod/mini'
import type { Config } from '#server/config/config.ts'
import { readReleaseKey } from '#server/config/release-key.ts'

const WITHIN_MS = 20_000
const MAX_BYTES = 65_536
const line = z.string().check(z.maxLength(500))

export const releaseFile = z.object({
  version: z.string().check(z.regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/)),
  /** What it brings, a sentence each. */
  brings: z.array(line).check(z.maxLength(20)),
  /** What it asks of the webmaster before the upgrade, as "To do" in the changelog. */
  asks: z.array(line).check(z.maxLength(20)),
  /** The address of its archive. */
  archive: z.url({ protocol: /^https?$/ }),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
})
export type Release = z.infer<typeof releaseFile>

/** Why there is no release to trust, in a sentence for the webmaster. */
export class ReleaseProblem extends Error {}

/**
 * Fetches the publisher's release file and its signature, `….sig`. The requests name the running version and nothing else of the site.
 * @throws ReleaseProblem
 */
export async function fetchRelease(
  { url, key }: NonNullable<Config['releases']>,
  runningVersion: string,
): Promise<Release> {
  const [text, signature] = await Promise.all([url, `${url}.sig`].map((address) => fetchText(address, runningVersion)))
  const publicKey = readReleaseKey(key)
  if (!publicKey || !verify(null, Buffer.from(text ?? ''), publicKey, Buffer.from(signature ?? '', 'base64')))
    throw new ReleaseProblem(`The signature of ${url} does not belong to RELEASES_KEY. Nothing was read from it.`)
  const read = releaseFile.safeParse(parseJson(text ?? ''))
  if (!read.success) throw new ReleaseProblem(`${url} is signed, but is not a release file that this release can read.`)
  return read.data
}

export function isNewer(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.split('.').map(Number))
  const difference = one?.map((part, index) => part - (other?.[index] ?? 0)).find((part) => part !== 0)
  return (difference ?? 0) > 0
}

async function fetchText(address: string, runningVersion: string): Promise<string> {
  try {
    const reply = await fetch(address, {
      headers: { 'user-agent': `association/${runningVersion}` },
      signal: AbortSignal.timeout(WITHIN_MS),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`status ${reply.status}`)
    if (text.length > MAX_BYTES) throw new Error('it is too large')
    return text
  } catch (error) {
    throw new ReleaseProblem(`${address} could not be read: ${(error as Error).message}.`)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

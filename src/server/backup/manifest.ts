import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { BackupProblem } from './backup-problem.ts'
import { measureFile, writeChecked } from './checked-file.ts'

const MANIFEST = 'manifest.json'
const SUMS = 'SHA256SUMS'

const fileSchema = { bytes: z.number().int().nonnegative(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }

/** A file path within the backup; never outside it. */
const innerPath = z.string().regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/)

const manifestSchema = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  engine: z.enum(['sqlite', 'postgres']),
  /** The last applied migration. */
  schema: z.string().min(1),
  /** Row count per table. */
  tables: z.record(z.string(), z.number().int().nonnegative()),
  files: z.array(z.object({ path: innerPath, ...fileSchema })),
  /** Media are stored by checksum; `path` is bucket and name, `version` changes with the file. */
  media: z.array(z.object({ path: z.string().min(1), version: z.string(), ...fileSchema })),
})

export type Manifest = z.infer<typeof manifestSchema>
export type MediaEntry = Manifest['media'][number]

/** The database's part of the manifest. */
export type DatabasePart = Pick<Manifest, 'schema' | 'tables' | 'files'>

/** The path of a media file within the backup. */
export function mediaPath({ sha256 }: Pick<MediaEntry, 'sha256'>): string {
  return `media/${sha256}`
}

/** Writes the manifest, and next to it the checksums in the format of `sha256sum -c`. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const measured = await writeChecked(join(directory, MANIFEST), [
    Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`),
  ])
  const sums = [{ path: MANIFEST, ...measured }, ...listFiles(manifest)].map(
    ({ path, sha256 }) => `${sha256}  ${path}\n`,
  )
  await writeChecked(join(directory, SUMS), [Buffer.from(sums.join(''))])
}

/** @throws BackupProblem when the manifest is missing, damaged, or in a newer format than this release supports */
export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readPart(directory, MANIFEST)
  const sums = await readPart(directory, SUMS)
  const sum = createHash('sha256').update(text).digest('hex')
  if (!sums.split('\n').includes(`${sum}  ${MANIFEST}`)) throw damaged(directory, MANIFEST)
  const manifest = manifestSchema.safeParse(JSON.parse(text))
  if (!manifest.success)
    throw new BackupProblem(`${join(directory, MANIFEST)} has a format that this release cannot read.`)
  return manifest.data
}

/**
 * Reads every file of a backup and compares it with the manifest.
 * @throws BackupProblem naming the first missing or damaged file
 */
export async function verifyFiles(directory: string, manifest: Manifest): Promise<void> {
  for (const { path, bytes, sha256 } of listFiles(manifest)) {
    const found = await measureFile(join(directory, path))
    if (!found)
      throw new BackupProblem(`The backup is incomplete: ${join(directory, path)} is missing. Use another one.`)
    if (found.bytes !== bytes || found.sha256 !== sha256) throw damaged(directory, path)
  }
}

/** Each file once, even if several pictures share it. */
function listFiles({ files, media }: Manifest): Manifest['files'] {
  const pictures = media.map(({ bytes, sha256 }) => ({ path: mediaPath({ sha256 }), bytes, sha256 }))
  return [...new Map([...files, ...pictures].map((file) => [file.path, file])).values()]
}

async function readPart(directory: string, name: string): Promise<string> {
  try {
    return await readFile(join(directory, name), 'utf8')
  } catch {
    throw new BackupProblem(`The backup is incomplete: ${join(directory, name)} cannot be read. Use another one.`)
  }
}

function damaged(directory: string, name: string): BackupProblem {
  return new BackupProblem(
    `The backup is damaged: ${join(directory, name)} does not match its checksum. Use another one.`,
  )
}

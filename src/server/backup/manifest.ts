import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { BackupProblem } from './backup-problem.ts'
import { measureFile, writeChecked } from './checked-file.ts'

const MANIFEST = 'manifest.json'
const SUMS = 'SHA256SUMS'

const fileFacts = { bytes: z.number().int().nonnegative(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }

/** Where a file lies within the backup; never outside it. */
const innerPath = z.string().regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/)

const manifestSchema = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  engine: z.enum(['sqlite', 'postgres']),
  /** The last migration that was applied. */
  schema: z.string().min(1),
  /** Rows of each table. */
  tables: z.record(z.string(), z.number().int().nonnegative()),
  files: z.array(z.object({ path: innerPath, ...fileFacts })),
  /** Media lie in the backup by checksum; `path` is bucket and name, `version` changes with the file. */
  media: z.array(z.object({ path: z.string().min(1), version: z.string(), ...fileFacts })),
})

export type Manifest = z.infer<typeof manifestSchema>
export type MediaEntry = Manifest['media'][number]

/** What a database adds to it. */
export type DatabasePart = Pick<Manifest, 'schema' | 'tables' | 'files'>

/** Where the bytes of a media file lie within the backup. */
export function mediaPath({ sha256 }: Pick<MediaEntry, 'sha256'>): string {
  return `media/${sha256}`
}

/** Writes the list of what a backup holds, and beside it the checksums as `sha256sum -c` reads them. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const facts = await writeChecked(join(directory, MANIFEST), [Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)])
  const sums = [{ path: MANIFEST, ...facts }, ...filesOf(manifest)].map(({ path, sha256 }) => `${sha256}  ${path}\n`)
  await writeChecked(join(directory, SUMS), [Buffer.from(sums.join(''))])
}

/** @throws BackupProblem when it is missing, damaged, or of a later form than this release reads */
export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readPart(directory, MANIFEST)
  const sums = await readPart(directory, SUMS)
  const sum = createHash('sha256').update(text).digest('hex')
  if (!sums.split('\n').includes(`${sum}  ${MANIFEST}`)) throw damaged(directory, MANIFEST)
  const manifest = manifestSchema.safeParse(JSON.parse(text))
  if (!manifest.success)
    throw new BackupProblem(`${join(directory, MANIFEST)} is of a form that this release does not read.`)
  return manifest.data
}

/**
 * Reads every file of a backup and compares it with the list.
 * @throws BackupProblem naming the first that is missing or damaged
 */
export async function verifyFiles(directory: string, manifest: Manifest): Promise<void> {
  for (const { path, bytes, sha256 } of filesOf(manifest)) {
    const found = await measureFile(join(directory, path))
    if (!found) throw new BackupProblem(`The backup is not whole: ${join(directory, path)} is missing. Take another.`)
    if (found.bytes !== bytes || found.sha256 !== sha256) throw damaged(directory, path)
  }
}

/** Each once, however many names a picture has. */
function filesOf({ files, media }: Manifest): Manifest['files'] {
  const pictures = media.map(({ bytes, sha256 }) => ({ path: mediaPath({ sha256 }), bytes, sha256 }))
  return [...new Map([...files, ...pictures].map((file) => [file.path, file])).values()]
}

async function readPart(directory: string, name: string): Promise<string> {
  try {
    return await readFile(join(directory, name), 'utf8')
  } catch {
    throw new BackupProblem(`The backup is not whole: ${join(directory, name)} cannot be read. Take another.`)
  }
}

function damaged(directory: string, name: string): BackupProblem {
  return new BackupProblem(`The backup is damaged: ${join(directory, name)} is not what was written. Take another.`)
}

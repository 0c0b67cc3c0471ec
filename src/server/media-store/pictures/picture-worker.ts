import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PictureCrop } from '#contract/media.ts'
import type { PreparedPicture } from './media-store.ts'
import { cropPicture, preparePicture, previewOf, withSizes } from './prepare-picture.ts'
import { RefusedPicture } from './refused-picture.ts'

/** What is done with the picture in the file `source`. */
export type PictureTask =
  | { kind: 'prepare'; filename: string }
  | { kind: 'crop'; filename: string; crop: PictureCrop }
  | { kind: 'sizes'; filename: string }
  | { kind: 'preview' }

/** What the worker is started with. */
export type PictureOrder = PictureTask & {
  source: string
  /** An empty folder for the files that are made. */
  into: string
}

/** What the worker writes to its standard output, as JSON. */
export type PictureAnswer =
  /** Files lie in the folder under their names. */
  | { kind: 'prepared'; filename: string; files: { name: string; contentType: string }[] }
  | { kind: 'preview'; width: number; height: number; preview: string }
  | { kind: 'refused'; sentence: string }

/** One picture, in a process of its own whose memory is limited: see `picture-workshop.ts`, which starts it. */
async function work({ source, into, ...task }: PictureOrder): Promise<PictureAnswer> {
  try {
    if (task.kind === 'preview') return { kind: 'preview', ...(await previewOf(await readFile(source))) }
    const { filename, files } = await prepare(task, source)
    for (const { name, bytes } of files) {
      await mkdir(dirname(join(into, name)), { recursive: true })
      await writeFile(join(into, name), bytes)
    }
    return { kind: 'prepared', filename, files: files.map(({ name, contentType }) => ({ name, contentType })) }
  } catch (error) {
    if (error instanceof RefusedPicture) return { kind: 'refused', sentence: error.message }
    throw error
  }
}

async function prepare(task: Exclude<PictureTask, { kind: 'preview' }>, source: string): Promise<PreparedPicture> {
  if (task.kind === 'prepare') return preparePicture(task.filename, source)
  const bytes = await readFile(source)
  return task.kind === 'crop' ? cropPicture(task.filename, bytes, task.crop) : withSizes(task.filename, bytes)
}

// Whoever stops the site stops its processes alike; this one ends when the site has, or has what it asked for.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
// The site holds the other end: when it is killed, nobody waits for this picture any more.
process.stdin.on('end', () => process.exit(1)).resume()
const answer = await work(JSON.parse(process.argv[2] ?? '') as PictureOrder)
process.stdout.write(JSON.stringify(answer), () => process.exit(0))

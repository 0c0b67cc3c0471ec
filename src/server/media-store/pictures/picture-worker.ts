import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PictureCrop } from '#contract/public/media.ts'
import type { PreparedPicture } from '../media-store.ts'
import { inspectDocument } from '../inspect-document.ts'
import { cropPicture, drawPicture, processPicture, createPreview, withSizes } from './process-picture.ts'
import { PictureRejectedError } from './picture-rejected-error.ts'

/** The operation on the picture in the file `source`. */
export type PictureTask =
  | { kind: 'prepare'; filename: string; isPrint?: boolean }
  | { kind: 'crop'; filename: string; crop: PictureCrop }
  | { kind: 'sizes'; filename: string }
  /** An SVG of the site as a PNG. */
  | { kind: 'draw' }
  | { kind: 'preview' }
  | { kind: 'document' }

/** The worker's input, as a JSON argument. */
export type PictureJob = PictureTask & {
  source: string
  /** An empty folder for the output files. */
  into: string
}

/** The worker's output, as JSON on stdout. */
export type PictureResult =
  /** The files are in the output folder, by name. */
  | { kind: 'prepared'; filename: string; files: { name: string; contentType: string }[] }
  | { kind: 'preview'; width: number; height: number; preview: string }
  | { kind: 'document'; pages: number }
  | { kind: 'refused'; sentence: string }

/** Processes one picture in a separate process with limited memory (started by `picture-workshop.ts`). */
async function work({ source, into, ...task }: PictureJob): Promise<PictureResult> {
  try {
    if (task.kind === 'preview') return { kind: 'preview', ...(await createPreview(await readFile(source))) }
    if (task.kind === 'document') return { kind: 'document', ...(await inspectDocument(source)) }
    const { filename, files } = await prepare(task, source)
    for (const { name, bytes } of files) {
      await mkdir(dirname(join(into, name)), { recursive: true })
      await writeFile(join(into, name), bytes)
    }
    return { kind: 'prepared', filename, files: files.map(({ name, contentType }) => ({ name, contentType })) }
  } catch (error) {
    if (error instanceof PictureRejectedError) return { kind: 'refused', sentence: error.message }
    throw error
  }
}

async function prepare(
  task: Exclude<PictureTask, { kind: 'preview' | 'document' }>,
  source: string,
): Promise<PreparedPicture> {
  if (task.kind === 'prepare') return processPicture(task.filename, source, task)
  const bytes = await readFile(source)
  if (task.kind === 'draw') return drawPicture(bytes)
  return task.kind === 'crop' ? cropPicture(task.filename, bytes, task.crop) : withSizes(task.filename, bytes)
}

// A signal to the process group reaches this process too. Ignore it: the worker exits with the site or when its result is written.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
// stdin closes when the site is killed: then no one needs the result.
process.stdin.on('end', () => process.exit(1)).resume()
const result = await work(JSON.parse(process.argv[2] ?? '') as PictureJob)
process.stdout.write(JSON.stringify(result), () => process.exit(0))

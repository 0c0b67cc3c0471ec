import { addPicture, getPictureQueue, type DescribedPicture } from '#contract/console/media.ts'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { resizePicture } from './resize-picture.ts'

const LOOK_EVERY_MS = 2_000

/**
 * Resizes an image and uploads it; its texts can be given afterwards.
 * @param report called with the status, such as how many other images are processed first
 * @throws Error with a message for the officer, CallFailure
 */
export async function uploadPicture(
  file: File,
  { bucket, folder, isPrint }: { bucket: string; folder: string; isPrint: boolean },
  report: (status: string) => void,
): Promise<DescribedPicture> {
  report('Resizing…')
  const ready = await resizePicture(file)
  if (ready.refused !== null) throw new Error(ready.refused)
  report('Uploading…')
  // `randomUUID` only exists in secure contexts.
  const ticket = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('')
  const timer = setInterval(() => {
    callAsOfficer(getPictureQueue, { query: { ticket } }).then(
      ({ ahead }) => ahead !== null && report(queueText(ahead)),
      // Only a status: the upload's own response counts.
      () => {},
    )
  }, LOOK_EVERY_MS)
  try {
    const query = { filename: ready.filename, ticket, ...(isPrint && { isPrint: 'true' as const }) }
    return await callAsOfficer(addPicture, { params: { bucket, folder }, query, file: ready.file })
  } finally {
    clearInterval(timer)
  }
}

function queueText(ahead: number): string {
  if (ahead === 0) return 'Processing…'
  return ahead === 1 ? 'Waiting for 1 other image' : `Waiting for ${ahead} other images`
}

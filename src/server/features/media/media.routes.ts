import { listImages, WORDS_FOLDER } from '#contract/media.ts'
import type { Server } from '#server/http/serve.ts'
import type { ContentCache } from '../association/content-cache.ts'
import { describedImages } from './picture-descriptions.rules.ts'
import type { Listing, PicturesService } from './pictures.service.ts'

const MESSAGES: Record<Listing['kind'], string> = {
  listed: 'Images listed.',
  unknown: 'There is no such folder.',
  failed: 'Images cannot be listed right now.',
}

export function mediaRoutes(server: Server, pictures: PicturesService, cache: Pick<ContentCache, 'content'>): void {
  server.serve(listImages, async ({ params: { bucket, folder } }) => {
    const isUnlisted = bucket === WORDS_FOLDER.bucket && folder === WORDS_FOLDER.folder
    const { kind, images }: Listing = isUnlisted ? { kind: 'unknown', images: [] } : await pictures.list(bucket, folder)
    const { pictures: descriptions, people } = cache.content()
    const described = describedImages({ bucket, folder }, images, { descriptions, people })
    return { success: kind === 'listed', message: MESSAGES[kind], data: { images: described } }
  })
}

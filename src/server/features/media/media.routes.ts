import { listImages, ARTICLES_FOLDER } from '#contract/public/media.ts'
import type { Server } from '#server/http/serve.ts'
import type { ContentCache } from '#server/features/content/content-cache.service.ts'
import { withDescriptions } from './picture-descriptions.rules.ts'
import type { FolderListing, PicturesService } from './pictures.service.ts'

const MESSAGES: Record<FolderListing['kind'], string> = {
  listed: 'Images listed.',
  unknown: 'This folder does not exist.',
  failed: 'Images cannot be listed right now.',
}

export function mediaRoutes(server: Server, pictures: PicturesService, cache: Pick<ContentCache, 'content'>): void {
  server.serve(listImages, async ({ params: { bucket, folder } }) => {
    const isUnlisted = bucket === ARTICLES_FOLDER.bucket && folder === ARTICLES_FOLDER.folder
    const { kind, images }: FolderListing = isUnlisted
      ? { kind: 'unknown', images: [] }
      : await pictures.list(bucket, folder)
    const { pictures: descriptions, people } = cache.content()
    const described = withDescriptions({ bucket, folder }, images, { descriptions, people })
    return { success: kind === 'listed', message: MESSAGES[kind], data: { images: described } }
  })
}

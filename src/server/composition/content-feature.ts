import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema/schema.ts'
import type { Server } from '#server/http/serve.ts'
import type { MediaStore } from '#server/media-store/media-store.ts'
import type { PictureQueue } from '#server/media-store/pictures/picture-queue.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import type { ContentCache } from '#server/features/content/content-cache.service.ts'
import type { HeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import { mediaConsoleRoutes, uploadRoutes } from '#server/features/media/media-console.routes.ts'
import { createMediaConsoleService, type PictureUser } from '#server/features/media/media-console.service.ts'
import type { PicturesService } from '#server/features/media/pictures.service.ts'
import { contentRoutes } from '#server/features/content/content.routes.ts'
import { createContentService, type BulkContentEditor } from '#server/features/content/content.service.ts'

/** Wires the content and media services of the console. */
export function createContentFeature(tools: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  heldWork: HeldWork
  store: MediaStore
  workshop: PictureQueue
  cache: Pick<ContentCache, 'content'>
  pictures: PicturesService
  /** Other features that use pictures. */
  users: readonly PictureUser[]
}): { routes(server: Server): void; uploadRoutes(server: Server): void; many: BulkContentEditor; job: Job } {
  const content = createContentService(tools)
  const media = createMediaConsoleService({
    ...tools,
    people: () => tools.cache.content().people,
    users: [content, ...tools.users],
  })
  return {
    routes(server) {
      contentRoutes(server, content)
      mediaConsoleRoutes(server, media)
    },
    uploadRoutes: (server) => uploadRoutes(server, media),
    many: content.bulk,
    job: content.job,
  }
}

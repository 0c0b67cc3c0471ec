import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema.ts'
import type { Server } from '#server/http/serve.ts'
import type { MediaStore } from '#server/media/media-store.ts'
import type { PictureWorkshop } from '#server/media/picture-workshop.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Job } from '#server/platform/job-runner.ts'
import type { ContentCache } from '../association/content-cache.ts'
import type { HeldWork } from '../console/held-work.ts'
import { mediaConsoleRoutes, uploadRoutes } from '../media/media-console.routes.ts'
import { createMediaConsoleService, type PictureUser } from '../media/media-console.service.ts'
import type { PicturesService } from '../media/pictures.service.ts'
import { contentRoutes } from './content.routes.ts'
import { createContentService, type ManyRecords } from './content.service.ts'

/** What officers write and the pictures they choose, put together. */
export function createContentFeature(tools: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  heldWork: HeldWork
  store: MediaStore
  workshop: PictureWorkshop
  cache: Pick<ContentCache, 'content'>
  pictures: PicturesService
  /** What names pictures besides. */
  users: readonly PictureUser[]
}): { routes(server: Server): void; uploadRoutes(server: Server): void; many: ManyRecords; job: Job } {
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
    many: content.many,
    job: content.job,
  }
}

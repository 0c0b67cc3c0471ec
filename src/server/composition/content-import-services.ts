import type { AppContext } from '#server/app-context.ts'
import { createContentImportRun } from '#server/features/content-import/content-import-run.service.ts'
import { createContentImportService } from '#server/features/content-import/content-import.service.ts'
import { createContentImportUndo } from '#server/features/content-import/content-import-undo.service.ts'
import type { FetchPicture } from '#server/features/content-import/fetch-picture.service.ts'
import { createImportPictures } from '#server/features/content-import/import-pictures.service.ts'
import type { BulkContentEditor } from '#server/features/content/record-writer.service.ts'
import type { MediaConsoleService } from '#server/features/media/media-console.service.ts'
import type { HeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import type { MediaStore } from '#server/media-store/media-store.ts'

export interface ContentImportTools {
  content: BulkContentEditor
  mediaConsole: MediaConsoleService
  store: MediaStore
  heldWork: HeldWork
  fetchPicture: FetchPicture
  /** Whether the site has a page, document or file at a path. */
  isKnownPath(path: string): boolean
}

/** Creates the services of imports of a former website. */
export function createContentImportServices(ctx: AppContext, tools: ContentImportTools) {
  const { content, mediaConsole: media, heldWork } = tools
  const running = { content, heldWork, pictures: createImportPictures(ctx, { ...tools, media }) }
  return {
    contentImports: createContentImportService(ctx, tools),
    contentImportRun: createContentImportRun(ctx, running),
    contentImportUndo: createContentImportUndo(ctx, running),
  }
}

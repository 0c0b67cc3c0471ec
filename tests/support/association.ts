import { readContentFiles } from '#server/features/association/content-files.ts'
import { CONTENT_DIRECTORY } from '#server/features/association/seed.ts'

/** Of the content that fills an empty database. */
export const { association } = readContentFiles(CONTENT_DIRECTORY).settings

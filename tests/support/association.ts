import { readContentFiles } from '#server/features/seed/content-files.service.ts'
import { CONTENT_DIRECTORY } from '#server/features/seed/seed.service.ts'

/** The association of the shipped content. */
export const { association } = readContentFiles(CONTENT_DIRECTORY).settings

import { settingsOf } from '#server/features/content-store/kinds/settings.kinds.ts'
import { readContentFiles } from '#server/features/seed/content-files.service.ts'
import { CONTENT_DIRECTORY } from '#server/features/seed/seed.service.ts'

/** The association of the shipped content. */
export const { association } = settingsOf(readContentFiles(CONTENT_DIRECTORY).records).settings

import { settingsOf } from '#server/features/content-store/kinds/settings.kinds.ts'
import { readContentFiles } from '#server/features/seed/content-files.service.ts'
import { SAMPLE_DIRECTORY } from '#server/config/profiles.ts'

/** The association of the shipped content. */
export const { association } = settingsOf(readContentFiles(SAMPLE_DIRECTORY).records).settings

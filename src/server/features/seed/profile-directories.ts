import { join } from 'node:path'
import { SAMPLE_PROFILE, type Profile } from '#server/config/profiles.ts'

export const PROFILES_DIRECTORY = join(import.meta.dirname, '../../../../content/profiles')

export const profileDirectory = (profile: Profile): string => join(PROFILES_DIRECTORY, profile)

/** The words of the sample association, with its samples. */
export const SAMPLE_DIRECTORY = profileDirectory(SAMPLE_PROFILE)

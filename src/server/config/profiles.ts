import { join } from 'node:path'

/** Kinds of association with starter content under `content/profiles/`. What a profile leaves out comes from `neutral`. */
export const PROFILES = ['neutral', 'physicians', 'physicians-georgia', 'engineers'] as const
export type Profile = (typeof PROFILES)[number]

/** The profile of an invented association, the only one with samples: people, events and payments. */
export const SAMPLE_PROFILE: Profile = 'physicians-georgia'

export const PROFILES_DIRECTORY = join(import.meta.dirname, '../../../content/profiles')

export const profileDirectory = (profile: Profile): string => join(PROFILES_DIRECTORY, profile)

/** The words of the sample association, with its samples. */
export const SAMPLE_DIRECTORY = profileDirectory(SAMPLE_PROFILE)

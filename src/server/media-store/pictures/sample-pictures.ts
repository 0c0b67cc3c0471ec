import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bucket, Folder } from '#contract/public/media.ts'
import type { Config } from '#server/config/config.ts'
import { createDiskStore } from '../disk-store.ts'
import { mediaDirectory } from '../create-media-store.ts'
import { ART_DIRECTORY } from './site-illustrations.ts'

/** Illustrations used as sample photos, with descriptive file names. */
const SAMPLES: [Bucket, Folder, pictures: Record<string, string>][] = [
  [
    'home',
    'hero',
    {
      'hero-gala': 'long-table-under-the-oak',
      'hero-morning': 'morning-at-stone-mountain',
      'hero-paisley': 'stethoscope-and-paisley',
    },
  ],
  [
    'home',
    'gallery',
    {
      'event-diwali': 'lamps-on-the-steps',
      'event-lecture': 'an-evening-lecture',
      clinic: 'a-day-at-the-clinic',
      'event-garba': 'garba-seen-from-above',
      'event-capitol': 'white-coats-on-the-march',
      'event-kites': 'kites-in-winter',
      'news-chai': 'chai-with-the-residents',
      'event-flu': 'flu-shots-in-the-fall',
    },
  ],
  ['clinic', 'hero', { clinic: 'the-open-door-of-the-clinic' }],
  [
    'exec',
    'team',
    {
      'portrait-president': 'president',
      'portrait-president-elect': 'president-elect',
      'portrait-secretary': 'secretary',
      'portrait-treasurer': 'treasurer',
    },
  ],
]

/** Creates the media folder with sample pictures. A no-op in production or if the folder exists, even if it is empty. Returns true if it added pictures. */
export async function addSamplePictures({ production, storage, dataDirectory }: Config): Promise<boolean> {
  const directory = mediaDirectory(dataDirectory)
  if (production || storage || existsSync(directory)) return false
  const store = createDiskStore(directory)
  for (const [bucket, folder, pictures] of SAMPLES) {
    for (const [art, name] of Object.entries(pictures)) {
      const filename = `${name}.svg`
      const bytes = await readFile(join(ART_DIRECTORY, `${art}.svg`))
      await store.put(bucket, folder, { filename, files: [{ name: filename, contentType: 'image/svg+xml', bytes }] })
    }
  }
  return true
}

import type { MediaFolder } from '#contract/console-media.ts'
import type { PicturePlace } from './picture-descriptions.rules.ts'

export type Place = Omit<PicturePlace, 'filename'>

/** What the folders are to officers. */
export const MEDIA_FOLDERS: Record<string, FolderWords> = {
  'home/articles': { label: 'For events, news and pages', use: 'Choose them where you write.' },
  'home/hero': {
    label: 'Home page, at the top',
    use: 'All of them are shown in turn, while the events beside them change. Without any, each event shows its own picture.',
  },
  'home/gallery': {
    label: 'The association in action',
    use: 'All of them are shown in turn on the home page, each with its caption.',
    hasCaptions: true,
  },
  'clinic/hero': { label: 'Free clinic', use: 'The first, by the name of its file, is shown at the top of its page.' },
  'exec/team': {
    label: 'Portraits',
    use: 'Each is shown with the person you choose, wherever the site lists them. A person who is no longer listed keeps no portrait on the site.',
    hasPeople: true,
  },
}
type FolderWords = Pick<MediaFolder, 'label' | 'use'> & Partial<Pick<MediaFolder, 'hasCaptions' | 'hasPeople'>>

export function wordsOf({ bucket, folder }: Place): Pick<MediaFolder, 'label' | 'use' | 'hasCaptions' | 'hasPeople'> {
  const words = MEDIA_FOLDERS[`${bucket}/${folder}`] ?? { label: folder, use: '' }
  return { hasCaptions: false, hasPeople: false, ...words }
}

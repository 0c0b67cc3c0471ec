import type { MediaFolder } from '#contract/console/media.ts'
import type { PictureRef } from './picture-descriptions.rules.ts'

export type FolderRef = Omit<PictureRef, 'filename'>

/** The folders of the media library, with their labels. */
export const MEDIA_FOLDERS: Record<string, FolderLabels> = {
  'home/articles': { label: 'For events, news and pages', use: 'Choose them when you edit content.' },
  'home/hero': {
    label: 'Home page, top',
    use: 'Shown in rotation while the events next to them change. If there are none, each event shows its own picture.',
  },
  'home/gallery': {
    label: 'The association in action',
    use: 'Shown in rotation on the home page, each with its caption.',
    hasCaptions: true,
  },
  'clinic/hero': { label: 'Free clinic', use: 'The first by file name is shown at the top of the clinic page.' },
  'exec/team': {
    label: 'Portraits',
    use: 'Each is shown with the person you choose, wherever the site lists them. If a person is no longer listed, the portrait is not shown.',
    hasPeople: true,
  },
}
type FolderLabels = Pick<MediaFolder, 'label' | 'use'> & Partial<Pick<MediaFolder, 'hasCaptions' | 'hasPeople'>>

export function folderLabels({
  bucket,
  folder,
}: FolderRef): Pick<MediaFolder, 'label' | 'use' | 'hasCaptions' | 'hasPeople'> {
  const labels = MEDIA_FOLDERS[`${bucket}/${folder}`] ?? { label: folder, use: '' }
  return { hasCaptions: false, hasPeople: false, ...labels }
}

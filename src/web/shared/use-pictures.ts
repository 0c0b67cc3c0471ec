import { useCallback, useEffect, useRef, useState } from 'react'
import type { Bucket, FolderOf, StoredImage } from '#contract/media.ts'
import { fetchList } from '#web/api/fetch-list.ts'
import { forgetPictures, keepPictures, readPictures } from './picture-cache.ts'
import { isSameList, readImages } from './stored-images.rules.ts'

export interface Pictures {
  /**
   * `loading`: nothing to show yet. `failed`: nobody could be asked; what was there stays in `images`, with
   * `PICTURES_FAILED` beside it (docs/product-rules.md#lists-that-cannot-be-loaded).
   */
  step: 'loading' | 'ready' | 'failed'
  images: StoredImage[]
  /** To be told of every picture that does not load: the list is forgotten and asked for anew. */
  pictureFailed(image: StoredImage): void
}

export const PICTURES_FAILED = 'Failed to load images'

/**
 * The pictures of a folder: those the server rendered at once, then those this browser kept within the hour. Where the two differ, the page is the newer
 * one: what was kept is forgotten, and a fresh answer decides.
 */
export function usePictures<B extends Bucket>(
  bucket: B,
  folder: FolderOf<B>,
  rendered: readonly StoredImage[] = [],
): Pictures {
  const [state, setState] = useState<Pick<Pictures, 'step' | 'images'>>({
    step: rendered.length > 0 ? 'ready' : 'loading',
    images: [...rendered],
  })
  const [attempt, setAttempt] = useState(0)
  // Each address is worth one new list: one that fails for good must not make the browser ask for ever.
  const failedUrls = useRef(new Set<string>())
  const isAsking = useRef(false)
  const atFirst = useRef(rendered)

  useEffect(() => {
    let isCurrent = true
    const kept = readPictures(`${bucket}/${folder}`)
    const brought = atFirst.current
    if (kept && (brought.length === 0 || isSameList(kept, brought))) {
      setState({ step: 'ready', images: kept })
      return
    }
    if (kept) forgetPictures(`${bucket}/${folder}`)
    isAsking.current = true
    fetchPictures(bucket, folder)
      .then(
        (images) => isCurrent && setState({ step: 'ready', images }),
        () => isCurrent && setState(({ images }) => ({ step: 'failed', images })),
      )
      .finally(() => {
        if (isCurrent) isAsking.current = false
      })
    return () => {
      isCurrent = false
      isAsking.current = false
    }
  }, [bucket, folder, attempt])

  const pictureFailed = useCallback(
    ({ url }: StoredImage) => {
      if (failedUrls.current.has(url)) return
      failedUrls.current.add(url)
      if (isAsking.current) return
      forgetPictures(`${bucket}/${folder}`)
      setAttempt((before) => before + 1)
    },
    [bucket, folder],
  )

  return { ...state, pictureFailed }
}

/**
 * A refusal or an answer in a wrong shape is an empty list (docs/product-rules.md#lists-that-cannot-be-loaded); only a list with pictures is kept.
 * @throws when nobody answered
 */
async function fetchPictures(bucket: string, folder: string): Promise<StoredImage[]> {
  const path = `/api/s3/${encodeURIComponent(bucket)}/folder/${encodeURIComponent(folder)}`
  const images = await fetchList(path, (answer) => readImages((answer as Answer | null | undefined)?.data?.images))
  if (images.length > 0) keepPictures(`${bucket}/${folder}`, images)
  return images
}

interface Answer {
  data?: { images?: unknown }
}

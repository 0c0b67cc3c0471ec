import { useCallback, useEffect, useRef, useState } from 'react'
import type { Bucket, FolderOf, StoredImage } from '#contract/public/media.ts'
import { fetchList } from '#web/api/fetch-list.ts'
import { clearCachedPictures, cachePictures, readCachedPictures } from './picture-cache.ts'
import { isSameList, parseImages } from './stored-images.rules.ts'

export interface Pictures {
  /**
   * `loading`: nothing to show yet. `failed`: the request failed; `images` keeps the previous list, with
   * `PICTURES_FAILED` beside it (docs/product-rules.md#lists-that-cannot-be-loaded).
   */
  step: 'loading' | 'ready' | 'failed'
  images: StoredImage[]
  /** Call for every image that fails to load: clears the cache and refetches the list. */
  onPictureFailed(image: StoredImage): void
}

export const PICTURES_FAILED = 'Failed to load images'

/**
 * The images of a folder: the server-rendered ones, then those cached within the hour. When they differ, the rendered ones are newer: the cache is
 * cleared and the list is refetched.
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
  // Refetch once per URL, so that a broken image does not cause endless requests.
  const failedUrls = useRef(new Set<string>())
  const isFetching = useRef(false)
  const atFirst = useRef(rendered)

  useEffect(() => {
    let isCurrent = true
    const kept = readCachedPictures(`${bucket}/${folder}`)
    const brought = atFirst.current
    if (kept && (brought.length === 0 || isSameList(kept, brought))) {
      setState({ step: 'ready', images: kept })
      return
    }
    if (kept) clearCachedPictures(`${bucket}/${folder}`)
    isFetching.current = true
    fetchPictures(bucket, folder)
      .then(
        (images) => isCurrent && setState({ step: 'ready', images }),
        () => isCurrent && setState(({ images }) => ({ step: 'failed', images })),
      )
      .finally(() => {
        if (isCurrent) isFetching.current = false
      })
    return () => {
      isCurrent = false
      isFetching.current = false
    }
  }, [bucket, folder, attempt])

  const pictureFailed = useCallback(
    ({ url }: StoredImage) => {
      if (failedUrls.current.has(url)) return
      failedUrls.current.add(url)
      if (isFetching.current) return
      clearCachedPictures(`${bucket}/${folder}`)
      setAttempt((before) => before + 1)
    },
    [bucket, folder],
  )

  return { ...state, onPictureFailed: pictureFailed }
}

/**
 * An error or malformed response is an empty list (docs/product-rules.md#lists-that-cannot-be-loaded); only non-empty lists are cached.
 * @throws when there is no response
 */
async function fetchPictures(bucket: string, folder: string): Promise<StoredImage[]> {
  const path = `/api/s3/${encodeURIComponent(bucket)}/folder/${encodeURIComponent(folder)}`
  const images = await fetchList(path, (answer) => parseImages((answer as Answer | null | undefined)?.data?.images))
  if (images.length > 0) cachePictures(`${bucket}/${folder}`, images)
  return images
}

interface Answer {
  data?: { images?: unknown }
}

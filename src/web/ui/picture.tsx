import { useCallback, useState } from 'react'
import { srcSet } from './image-url.ts'

interface PictureProps {
  src: string
  /** Empty if the text next to it already says it. */
  alt: string
  width: number
  height: number
  /** The first image of a page loads immediately and with high priority; the others are lazy. */
  isPriority?: boolean
  /** The same image in smaller sizes and newer formats. */
  sizes?: readonly PictureSize[] | undefined
  /** The displayed width, as a value for `sizes`. */
  displayWidth?: string
  onFailed?: () => void
}

interface PictureSize {
  url: string
  /** Pixels. */
  width: number
  type: string
}

/** An image that fails to load is replaced by a placeholder with the same alt text; a new `src` is tried again. */
export function Picture({
  src,
  alt,
  width,
  height,
  isPriority: first,
  sizes = [],
  displayWidth: shownAt = '100vw',
  onFailed,
}: PictureProps) {
  const [failed, setFailed] = useState('')

  const fail = useCallback(() => {
    setFailed(src)
    onFailed?.()
  }, [src, onFailed])

  // The image may have failed before hydration, when nothing listened for the error.
  const check = useCallback(
    (img: HTMLImageElement | null) => {
      if (img?.complete && img.naturalWidth === 0) fail()
    },
    [fail],
  )

  if (failed === src)
    return <img className="picture missing" src="/art/spot-missing.svg" alt={alt} width={width} height={height} />
  const image = (
    <img
      className="picture"
      ref={check}
      src={src}
      alt={alt}
      width={width}
      height={height}
      loading={first ? 'eager' : 'lazy'}
      fetchPriority={first ? 'high' : undefined}
      decoding="async"
      onError={fail}
    />
  )
  if (sizes.length === 0) return image
  return (
    <picture>
      {['image/avif', 'image/webp'].map((type) => (
        <source key={type} type={type} srcSet={srcSet(sizes, type)} sizes={shownAt} />
      ))}
      {image}
    </picture>
  )
}

export type SpotName =
  | 'ballot'
  | 'books'
  | 'cups'
  | 'empty'
  | 'horn'
  | 'lab'
  | 'lamp'
  | 'lotus'
  | 'mail'
  | 'missing'
  | 'mortar'
  | 'not-found'
  | 'peach'
  | 'rose'
  | 'sign'
  | 'stethoscope'
  | 'tooth'

interface SpotProps {
  name: SpotName
  /** On the ink of its place instead of one of its own. */
  bare?: boolean
  /** In the first screen: loads immediately; the others are lazy. */
  isPriority?: boolean
}

/** A small illustration. Hidden from screen readers. */
export function Spot({ name, bare, isPriority }: SpotProps) {
  return (
    <img
      className={bare ? undefined : 'spot'}
      src={`/art/spot-${name}.svg`}
      alt=""
      width={400}
      height={300}
      loading={isPriority ? undefined : 'lazy'}
    />
  )
}

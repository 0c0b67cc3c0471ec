import { useCallback, useState } from 'react'
import { sourceSet } from './picture-address.ts'

interface PictureProps {
  src: string
  /** Empty where the words beside it already say it. */
  alt: string
  width: number
  height: number
  /** The first picture of a page: fetched at once and before others. All others wait until they come near. */
  first?: boolean
  /** The same picture smaller and in newer formats. */
  sizes?: readonly PictureSize[] | undefined
  /** How wide it is shown, as HTML writes it in `sizes`. */
  shownAt?: string
  onFailed?: () => void
}

interface PictureSize {
  url: string
  /** Pixels. */
  width: number
  type: string
}

/** A placeholder under the same name stands in for a picture that does not load; a new address is a new try. */
export function Picture({ src, alt, width, height, first, sizes = [], shownAt = '100vw', onFailed }: PictureProps) {
  const [failed, setFailed] = useState('')

  const fail = useCallback(() => {
    setFailed(src)
    onFailed?.()
  }, [src, onFailed])

  // A picture may have failed before the page came alive, when nobody heard its error.
  const check = useCallback(
    (img: HTMLImageElement | null) => {
      if (img?.complete && img.naturalWidth === 0) fail()
    },
    [fail],
  )

  if (failed === src)
    return <img className="picture missing" src="/art/spot-missing.svg" alt={alt} width={width} height={height} />
  const itself = (
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
  if (sizes.length === 0) return itself
  return (
    <picture>
      {['image/avif', 'image/webp'].map((type) => (
        <source key={type} type={type} srcSet={sourceSet(sizes, type)} sizes={shownAt} />
      ))}
      {itself}
    </picture>
  )
}

export type SpotName =
  | 'empty'
  | 'lab'
  | 'lamp'
  | 'lotus'
  | 'mail'
  | 'missing'
  | 'mortar'
  | 'not-found'
  | 'peach'
  | 'rose'
  | 'stethoscope'
  | 'tooth'

/** A small picture without ground; it always stands on cloth or on an ink. Decoration: silent for readers. */
export function Spot({ name, bare }: { name: SpotName; bare?: boolean }) {
  return <img className={bare ? undefined : 'spot'} src={`/art/spot-${name}.svg`} width={400} height={300} alt="" />
}

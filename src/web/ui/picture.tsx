import { useCallback, useState } from 'react'

interface PictureProps {
  src: string
  /** Empty where the words beside it already say it. */
  alt: string
  width: number
  height: number
  /** The first picture of a page: fetched at once and before others. All others wait until they come near. */
  first?: boolean
}

export function Picture({ src, alt, width, height, first }: PictureProps) {
  const [failed, setFailed] = useState(false)
  // A picture may have failed before the page came alive, when nobody heard its error.
  const check = useCallback((img: HTMLImageElement | null) => {
    if (img?.complete && img.naturalWidth === 0) setFailed(true)
  }, [])

  if (failed)
    return <img className="picture missing" src="/art/spot-missing.svg" alt={alt} width={width} height={height} />
  return (
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
      onError={() => setFailed(true)}
    />
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

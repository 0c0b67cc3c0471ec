import { useEffect, useState } from 'react'
import { imageUrl } from '#web/ui/image-url.ts'
import { Link } from '#web/ui/link.tsx'
import { hasWhiteGround } from './white-ground.rules.ts'

/** Large enough to see an edge, small enough to read at once. */
const SIZE = 48

/** Says that a logo with a white ground stands as a white box among the others, and what to do. */
export function LogoNote({ address }: { address: string }) {
  const [boxed, setBoxed] = useState<string | null>(null)
  useEffect(() => {
    let isCurrent = true
    const image = new Image()
    image.addEventListener('load', () => {
      if (isCurrent && isBoxed(image)) setBoxed(address)
    })
    image.src = imageUrl(address)
    return () => {
      isCurrent = false
    }
  }, [address])
  if (boxed !== address) return null
  const stored = /^\/media\/(.+)$/.exec(address)?.[1]
  return (
    <p className="note small" role="status">
      This logo has a white background, so it stands as a white box among the others. A PNG or SVG with a transparent
      background looks better.{' '}
      {stored !== undefined && <Link to={`/console/pictures/${stored}`}>Or trim its margin by cropping it</Link>}
    </p>
  )
}

function isBoxed(image: HTMLImageElement): boolean {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = SIZE
  const context = canvas.getContext('2d')
  if (!context) return false
  try {
    context.drawImage(image, 0, 0, SIZE, SIZE)
    return hasWhiteGround(context.getImageData(0, 0, SIZE, SIZE).data, SIZE, SIZE)
  } catch {
    // Pictures of object storage cannot be read from another origin.
    return false
  }
}

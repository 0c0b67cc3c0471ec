import { useEffect, useRef, useState } from 'react'
import type { PublishedBrand } from '#contract/brand/brand.ts'
import { brandedUrl } from '#contract/brand/branded-url.ts'
import { useBrandRendering } from './brand-rendering.ts'

/**
 * The colors and typefaces of the brand, after the style sheet whose custom properties it changes. Only the server derives them; a browser that has to render
 * the whole document again loads them as a file, as it does with the style sheet.
 */
export function BrandStyle({ brand }: { brand: PublishedBrand }) {
  const rendering = useBrandRendering()
  const style = useRef<HTMLStyleElement>(null)
  const [isLost, setLost] = useState(false)
  useEffect(() => setLost(style.current?.textContent === ''), [])
  return (
    <>
      <style ref={style} dangerouslySetInnerHTML={{ __html: rendering?.css(brand) ?? '' }} suppressHydrationWarning />
      {isLost && <link rel="stylesheet" href={brandedUrl('/brand.css', brand.version)} />}
    </>
  )
}

import { useEffect, useRef, useState } from 'react'
import { brandCss } from '#contract/brand/brand-css.ts'
import { brandedUrl, type PublishedBrand } from '#contract/brand/brand.ts'

/**
 * The colors and typefaces of the brand, after the style sheet whose custom properties it changes. Only the server derives them; a browser that has to render
 * the whole document again loads them as a file, as it does with the style sheet.
 */
export function BrandStyle({ brand }: { brand: PublishedBrand }) {
  const style = useRef<HTMLStyleElement>(null)
  const [isLost, setLost] = useState(false)
  useEffect(() => setLost(style.current?.textContent === ''), [])
  return (
    <>
      <style
        ref={style}
        dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? brandCss(brand) : '' }}
        suppressHydrationWarning
      />
      {isLost && <link rel="stylesheet" href={brandedUrl('/brand.css', brand.version)} />}
    </>
  )
}

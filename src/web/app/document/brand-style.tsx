import { useEffect, useRef, useState } from 'react'
import { brandCss } from '#contract/brand/brand-css.ts'
import type { PublishedBrand } from '#contract/brand/brand.ts'

/**
 * The colors and typefaces of the brand, after the style sheet whose custom properties it changes. Only the server derives them; a browser that has to render
 * the whole document again loads the code for it.
 */
export function BrandStyle({ brand }: { brand: PublishedBrand }) {
  const style = useRef<HTMLStyleElement>(null)
  const [text, setText] = useState(import.meta.env.SSR ? brandCss(brand) : '')
  useEffect(() => {
    if (style.current?.textContent !== '') return
    void import('./lost-brand-style.ts').then((module) => setText(module.brandCss(brand)))
  }, [brand])
  return <style ref={style} dangerouslySetInnerHTML={{ __html: text }} suppressHydrationWarning />
}

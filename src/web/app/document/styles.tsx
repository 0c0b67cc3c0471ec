import { useEffect, useRef, useState } from 'react'
import inline from '#web/styles/index.css?inline'
import stylesheet from '#web/styles/index.css?url'
import type { Typefaces } from '#contract/brand/brand.ts'
import { fontUrls } from '#web/styles/fonts.ts'
import { MODULES_ID } from './start-scripts.ts'

/**
 * The style sheet of all pages, inside the document: a page on a slow connection is painted a round trip earlier (docs/decisions/0053-inline-styles.md).
 * Only the server has its text. A browser that has to render the whole document again, because an extension changed it, loads it as a file.
 */
export function Styles({ typefaces }: { typefaces?: Typefaces | undefined }) {
  const style = useRef<HTMLStyleElement>(null)
  const [isLost, setLost] = useState(false)
  useEffect(() => setLost(style.current?.textContent === ''), [])
  return (
    <>
      {fontUrls(typefaces).map((href) => (
        <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
      ))}
      <style
        ref={style}
        dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? inline : '' }}
        suppressHydrationWarning
      />
      {/* Half a page would move when the rest arrives: some parts are shown before what they follow. */}
      <link rel="expect" href={`#${MODULES_ID}`} blocking="render" />
      {isLost && <link rel="stylesheet" href={stylesheet} />}
    </>
  )
}

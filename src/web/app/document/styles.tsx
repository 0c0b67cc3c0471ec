import inline from '#web/styles/index.css?inline'
import type { Typefaces } from '#contract/brand/brand.ts'
import { fontUrls } from '#web/styles/fonts.ts'
import { DocumentStyle } from './document-style.tsx'
import { MODULES_ID } from './start-scripts.ts'

/** The style sheet of all pages, inside the document: a page on a slow connection is painted a round trip earlier (docs/decisions/0053-inline-styles.md). */
export function Styles({ typefaces }: { typefaces?: Typefaces | undefined }) {
  return (
    <>
      {fontUrls(typefaces).map((href) => (
        <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
      ))}
      <DocumentStyle id="styles" css={import.meta.env.SSR ? inline : undefined} />
      {/* Half a page would move when the rest arrives: some parts are shown before what they follow. */}
      <link rel="expect" href={`#${MODULES_ID}`} blocking="render" />
    </>
  )
}

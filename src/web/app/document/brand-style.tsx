import type { PublishedBrand } from '#contract/brand/brand.ts'
import { useBrandRendering } from './brand-rendering.ts'
import { DocumentStyle } from './document-style.tsx'

/** The colors and typefaces of the brand, after the style sheet whose custom properties it changes. */
export function BrandStyle({ brand }: { brand: PublishedBrand }) {
  return <DocumentStyle id="brand-style" css={useBrandRendering()?.css(brand)} />
}

import type { PublishedBrand } from '#contract/brand/brand.ts'
import { useBrandRendering } from './brand-rendering.ts'

/** The header's color in each theme, for the browser's toolbar. Only the server derives it; the browser keeps what the server wrote. */
export function ThemeColor({ brand }: { brand: PublishedBrand | undefined }) {
  const colors = useBrandRendering()?.toolbarColors(brand)
  return (['light', 'dark'] as const).map((theme) => (
    <meta
      key={theme}
      name="theme-color"
      content={colors?.[theme]}
      media={`(prefers-color-scheme: ${theme})`}
      suppressHydrationWarning
    />
  ))
}

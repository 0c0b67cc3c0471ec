import type { PublishedBrand } from '#contract/brand/brand.ts'
import { paletteOf } from '#contract/brand/palette.ts'

/** The header's color in each theme, for the browser's toolbar. Only the server derives it; the browser keeps what the server wrote. */
export function ThemeColor({ brand }: { brand: PublishedBrand | undefined }) {
  const palette = import.meta.env.SSR ? paletteOf(brand) : null
  return (['light', 'dark'] as const).map((theme) => (
    <meta
      key={theme}
      name="theme-color"
      content={palette?.[theme].paper}
      media={`(prefers-color-scheme: ${theme})`}
      suppressHydrationWarning
    />
  ))
}

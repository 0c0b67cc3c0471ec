import { createContext, useContext } from 'react'
import type { PublishedBrand } from '#contract/brand/brand.ts'

/** How a brand becomes colors. The palette weighs 3 kB, so only the server has it (`entry.server.tsx`); the browser keeps what the server wrote. */
interface BrandRendering {
  css(brand: PublishedBrand): string
  /** The header's color in each theme. */
  toolbarColors(brand: PublishedBrand | undefined): { light: string; dark: string }
}

export const BrandRenderingContext = createContext<BrandRendering | null>(null)

/** Null in the browser. */
export function useBrandRendering(): BrandRendering | null {
  return useContext(BrandRenderingContext)
}

/** What officers choose of the site's look, under Settings, Brand. */
export interface Brand {
  /** Headings, links, panels and the console's bar. */
  primary: string
  /** Buttons and highlights. */
  accent: string
  typefaces: Typefaces
  prints: Prints
  /** The address of an uploaded picture; omitted for the site's own mark. */
  mark?: string | undefined
  /** The mark is a shape that takes the colors of its place. */
  isMarkInOneColor?: boolean | undefined
}

/** The brand as published, which every page and email gets. */
export interface PublishedBrand extends Brand {
  /** Changes with the brand and with the association's name: part of the addresses of icons and share card. */
  version: string
}

export const TYPEFACES = ['eczar-anek', 'anek', 'eczar', 'system'] as const
export type Typefaces = (typeof TYPEFACES)[number]

/** The garland, the hem of the footer, and the patterns of panels. */
export const PRINTS = ['shipped', 'none'] as const
export type Prints = (typeof PRINTS)[number]

/** The look that the site comes with (`web/styles/tokens.css`). */
export const SHIPPED_BRAND: Brand = {
  primary: '#0f4147',
  accent: '#e1831b',
  typefaces: 'eczar-anek',
  prints: 'shipped',
}

/** The kind of its content record. */
export const BRAND_KIND = 'brand'

interface Faces {
  heading: 'serif' | 'sans'
  text: 'serif' | 'sans'
}

/** For emails and PDFs, which have no web fonts. */
export function facesOf(typefaces: Typefaces = SHIPPED_BRAND.typefaces): Faces {
  return {
    heading: typefaces === 'anek' ? 'sans' : 'serif',
    text: typefaces === 'eczar' ? 'serif' : 'sans',
  }
}

import type { Typefaces } from '#contract/brand/brand.ts'
import anekLatin from './fonts/anek-latin.woff2?url'
import eczar from './fonts/eczar.woff2?url'

const URLS: Record<Typefaces, readonly string[]> = {
  'eczar-anek': [eczar, anekLatin],
  anek: [anekLatin],
  eczar: [eczar],
  system: [],
}

/** The font files of fonts.css that every page needs, for the preload links in the head. */
export function fontUrls(typefaces: Typefaces = 'eczar-anek'): readonly string[] {
  return URLS[typefaces]
}

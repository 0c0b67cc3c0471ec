import anekLatin from './fonts/anek-latin.woff2?url'
import eczar from './fonts/eczar.woff2?url'

/** The font files of fonts.css that every page needs, for the preload links in the head. */
export const fontUrls = [eczar, anekLatin]

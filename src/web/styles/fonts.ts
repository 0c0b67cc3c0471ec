import anekLatin from '@fontsource-variable/anek-latin/files/anek-latin-latin-wght-normal.woff2?url'
import eczar from '@fontsource-variable/eczar/files/eczar-latin-wght-normal.woff2?url'

/** The font files of fonts.css, for the preload links in the head. */
export const fontUrls = [eczar, anekLatin]

import anekLatin from '@fontsource-variable/anek-latin/files/anek-latin-latin-wght-normal.woff2?url'
import eczar from '@fontsource-variable/eczar/files/eczar-latin-wght-normal.woff2?url'

/** The same two files that fonts.css names, for the preload links of the document's head. */
export const fontUrls = [eczar, anekLatin]

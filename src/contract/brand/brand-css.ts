import { SHIPPED_BRAND, type PublishedBrand, type Typefaces } from './brand.ts'
import { brandedUrl } from './branded-url.ts'
import { paletteOf, SHIPPED_COLORS, type Colors } from './palette.ts'

type Properties = Record<string, string>

/** What covers everything as a picture, and nothing as a mask. */
const NOTHING = 'linear-gradient(#0000,#0000)'

const TYPEFACE_PROPERTIES: Record<Typefaces, Properties> = {
  'eczar-anek': {},
  anek: { serif: 'var(--sans)' },
  eczar: { sans: 'var(--serif)' },
  system: { serif: 'ui-serif,Georgia,serif', sans: 'system-ui,sans-serif' },
}
const NO_PRINTS = { toran: 'none', hem: 'none', jali: NOTHING, buti: NOTHING, boteh: NOTHING }

/** The custom properties that a brand changes (`web/styles/tokens.css`), for the head of every page. */
export function brandCss(brand: PublishedBrand): string {
  const { light, dark } = paletteOf(brand)
  const shared = {
    ...changed(SHIPPED_COLORS.light, light),
    ...TYPEFACE_PROPERTIES[brand.typefaces],
    ...(brand.prints === 'none' ? NO_PRINTS : borderProperties(brand)),
    ...markProperties(brand),
  }
  // As specific as in tokens.css.
  const inDark = rule(':root:not([data-theme=light])', changed(SHIPPED_COLORS.dark, dark))
  return rule(':root', shared) + (inDark && `@media(prefers-color-scheme:dark){${inDark}}`)
}

function changed(shipped: Partial<Colors>, colors: Partial<Colors>): Properties {
  return Object.fromEntries(
    Object.entries(colors).filter(([name, hex]) => {
      const before = shipped[name as keyof Colors]
      return before !== undefined && before !== hex
    }),
  )
}

/** The garland and the hem are pictures, which are served in the brand's colors. */
function borderProperties({ primary, accent, version }: PublishedBrand): Properties {
  if (primary === SHIPPED_BRAND.primary && accent === SHIPPED_BRAND.accent) return {}
  const border = (name: string) => `url(${brandedUrl(`/art/border-${name}.svg`, version)})`
  return { toran: border('toran'), hem: border('hem') }
}

/** A mark in its own colors cannot be a mask: it is painted beside the name, and its repetitions in ornaments disappear. */
function markProperties({ mark, isMarkInOneColor, version }: PublishedBrand): Properties {
  if (mark === undefined) return {}
  const url = `url(${brandedUrl('/favicon.svg', version)})`
  if (isMarkInOneColor) return { mark: url }
  return { mark: NOTHING, 'mark-paint': `${url} center/contain no-repeat`, 'mark-shape': 'none' }
}

function rule(selector: string, properties: Properties): string {
  const declarations = Object.entries(properties).map(([name, value]) => `--${name}:${value}`)
  return declarations.length > 0 ? `${selector}{${declarations.join(';')}}` : ''
}

import type { CSSProperties } from 'react'
import { facesOf, SHIPPED_BRAND, TYPEFACES, type Brand } from '#contract/brand/brand.ts'
import { isColor } from '#contract/brand/color.ts'
import { paletteOf, type Colors } from '#contract/brand/palette.ts'
import type { ContentValue } from '#contract/console/content.ts'
import { imageUrl } from '#web/ui/image-url.ts'
import { previewUrl } from '../content/preview-url.ts'
import { textOf } from '../content/field-values.rules.ts'

const FONTS = { serif: 'Georgia, serif', sans: 'Arial, sans-serif' }
const SITE_FONTS = {
  'eczar-anek': { heading: 'Eczar, Georgia, serif', text: "'Anek Latin', Arial, sans-serif" },
  anek: { heading: "'Anek Latin', Arial, sans-serif", text: "'Anek Latin', Arial, sans-serif" },
  eczar: { heading: 'Eczar, Georgia, serif', text: 'Eczar, Georgia, serif' },
  system: { heading: 'ui-serif, Georgia, serif', text: 'system-ui, sans-serif' },
}
const THEMES = [
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const
const STRIP = ['deep', 'clay', 'saffron', 'clay', 'teal'] as const

/** The site in both themes, an email and a receipt, in the look that is being edited. */
export function BrandPreview({ value }: { value: ContentValue }) {
  const brand = brandOf(value)
  const palette = paletteOf(brand)
  return (
    <div className="brand-preview">
      {THEMES.map(([theme, label]) => (
        <SitePreview key={theme} label={label} brand={brand} colors={palette[theme]} />
      ))}
      <EmailPreview brand={brand} colors={palette.light} />
    </div>
  )
}

function SitePreview({ label, brand, colors }: { label: string; brand: Brand; colors: Colors }) {
  const fonts = SITE_FONTS[brand.typefaces]
  const properties = Object.fromEntries(Object.entries(colors).map(([name, hex]) => [`--${name}`, hex]))
  return (
    <figure>
      <figcaption>{`Website, ${label.toLowerCase()}`}</figcaption>
      <div
        className="brand-site"
        style={{ ...properties, '--serif': fonts.heading, '--sans': fonts.text } as CSSProperties}
      >
        <p className="brand-bar">
          <Mark brand={brand} />
          <strong>Your association</strong>
          <span>Events</span>
        </p>
        {brand.prints === 'shipped' && <Strip colors={colors} />}
        <div className="brand-body">
          <p className="brand-heading">Welcome to our members</p>
          <p>
            Text on the ground of the site, with <span className="brand-link">a link</span>.
          </p>
          <p>
            <span className="brand-button">Become a member</span>
          </p>
        </div>
        <div className="brand-panel">
          <p className="brand-highlight">Next event</p>
          <p>Text on a panel</p>
        </div>
      </div>
    </figure>
  )
}

function EmailPreview({ brand, colors }: { brand: Brand; colors: Colors }) {
  const { heading, text } = facesOf(brand.typefaces)
  const headings = { color: colors.heading, fontFamily: FONTS[heading] }
  return (
    <figure>
      <figcaption>Email and receipt</figcaption>
      <div className="brand-email" style={{ background: colors.paper, color: colors.ink, fontFamily: FONTS[text] }}>
        <Strip colors={colors} />
        <div className="brand-body">
          <p style={headings}>
            <strong>Your association</strong>
          </p>
          <p className="brand-heading" style={headings}>
            Your receipt
          </p>
          <p>
            <span
              className="brand-button"
              style={{
                background: colors.action,
                color: colors['action-ink'],
                boxShadow: `0 3px 0 ${colors['action-edge']}`,
                fontFamily: 'inherit',
              }}
            >
              See the receipt
            </span>
          </p>
        </div>
      </div>
    </figure>
  )
}

function Mark({ brand: { mark, isMarkInOneColor } }: { brand: Brand }) {
  if (mark === undefined) return <i className="brand-mark" />
  const url = previewUrl(imageUrl(mark))
  if (!isMarkInOneColor) return <img className="brand-mark" src={url} alt="" />
  return <i className="brand-mark" style={{ mask: `url("${CSS.escape(url)}") center/contain no-repeat` }} />
}

function Strip({ colors }: { colors: Colors }) {
  return (
    <p className="brand-strip">
      {Array.from({ length: 15 }, (_, index) => {
        const name = STRIP[index % STRIP.length] ?? 'deep'
        // oxlint-disable-next-line react/no-array-index-key -- a preview without state
        return <i key={index} style={{ background: colors[name] }} />
      })}
    </p>
  )
}

/** What was typed so far; the shipped look where it is not complete. */
function brandOf(value: ContentValue): Brand {
  const color = (name: 'primary' | 'accent') => {
    const typed = textOf(value[name]).trim().toLowerCase()
    return isColor(typed) ? typed : SHIPPED_BRAND[name]
  }
  return {
    primary: color('primary'),
    accent: color('accent'),
    typefaces: TYPEFACES.find((one) => one === value['typefaces']) ?? SHIPPED_BRAND.typefaces,
    prints: value['prints'] === 'none' ? 'none' : 'shipped',
    mark: textOf(value['mark']) || undefined,
    isMarkInOneColor: value['isMarkInOneColor'] === true,
  }
}

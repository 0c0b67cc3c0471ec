import { SHIPPED_BRAND, type Brand } from '#contract/brand/brand.ts'
import { paletteOf, type Palette } from '#contract/brand/palette.ts'
import { outlineText, type OutlinedText } from '#server/emails/pdf/outline-text.ts'

/** The picture of an uploaded mark. */
export interface MarkPicture {
  contentType: 'image/svg+xml' | 'image/png'
  bytes: Buffer
}

/** The drawings of the site that the pictures below are made from, as SVG. */
export interface SiteDrawings {
  mark: string
  garland: string
}

interface Place {
  x: number
  y: number
  size: number
}

const SHARE = { width: 1_200, height: 630, margin: 64, nameWidth: 500, most: 64, least: 28, leading: 1.02 }
const JALI =
  'm30 6 5.4 11.1L47 13l-4.1 11.6L54 30l-11.1 5.4L47 47l-11.6-4.1L30 54l-5.4-11.1L13 47l4.1-11.6L6 30l11.1-5.4L13 13l11.6 4.1ZM0-10 10 0 0 10-10 0Zm60 0L70 0 60 10 50 0ZM0 50l10 10L0 70l-10-10Zm60 0 10 10-10 10-10-10Z'

/** A shipped drawing in the colors of the brand. Its inks are those of the palette. */
export function inBrandColors(drawing: string, brand: Brand): string {
  const [shipped, colors] = [paletteOf(SHIPPED_BRAND).light, paletteOf(brand).light]
  const inks = new Map(Object.entries(shipped).map(([name, hex]) => [hex, colors[name as keyof typeof colors]]))
  return drawing.replaceAll(/#[0-9a-f]{6}\b/g, (hex) => inks.get(hex) ?? hex)
}

/** The icon of browsers, which is also the mark in pages: in its own colors, or in the site's, in each theme. */
export function faviconDrawing(brand: Brand, picture: MarkPicture | null, { mark }: SiteDrawings): string {
  const { light, dark } = paletteOf(brand)
  const style = (selector: string, property: string) =>
    `<style>${selector}{${property}:${light.heading}}@media (prefers-color-scheme:dark){${selector}{${property}:${dark.link}}}</style>`
  if (!picture) return mark.replace(/<style>.*?<\/style>/s, style('path', 'fill'))
  const content = brand.isMarkInOneColor ? style('feFlood', 'flood-color') : ''
  return drawing(
    { width: 64, height: 64 },
    content + pictureAt(picture, { x: 0, y: 0, size: 64 }, brand.isMarkInOneColor ? light.heading : null),
  )
}

/** A square icon. @param share of the width that the mark takes */
export function iconDrawing(
  brand: Brand,
  picture: MarkPicture | null,
  site: SiteDrawings,
  { size, share }: { size: number; share: number },
): string {
  const palette = paletteOf(brand)
  const place = { x: (size * (1 - share)) / 2, y: (size * (1 - share)) / 2, size: size * share }
  return drawing(
    { width: size, height: size },
    `<rect width="${size}" height="${size}" fill="${palette.light.ground}"/>${markAt(brand, picture, site, { ...place, color: palette.light.heading })}`,
  )
}

/** The picture that social networks show with a link: the name and the mark beside a panel. */
export async function shareDrawing(
  name: string,
  brand: Brand,
  picture: MarkPicture | null,
  site: SiteDrawings,
): Promise<string> {
  const { light } = paletteOf(brand)
  const { width, height, margin } = SHARE
  const half = width / 2
  const lines = await nameLines(name, brand)
  const leading = lines.size * SHARE.leading
  const top = (height - lines.outlines.length * leading) / 2 + 40
  const hasPrints = brand.prints === 'shipped'
  return drawing(
    { width, height },
    [
      `<rect width="${width}" height="${height}" fill="${light.ground}"/>`,
      `<rect x="${half}" width="${half}" height="${height}" fill="${light.panel}"/>`,
      hasPrints ? jaliOver({ x: half, width: half, height }, light) : '',
      markAt(brand, picture, site, { x: margin, y: top - 110, size: 84, color: light.heading }),
      ...lines.outlines.map(
        ({ path }, index) =>
          `<path transform="translate(${margin} ${(top + lines.size * 0.8 + index * leading).toFixed(1)})" fill="${light.heading}" d="${path}"/>`,
      ),
      panelMark(brand, picture, site, light),
      hasPrints ? garlandAlong(width, inBrandColors(site.garland, brand)) : '',
    ].join(''),
  )
}

/** A mark in its own colors stands on a light ground, since it may be dark. */
function panelMark(brand: Brand, picture: MarkPicture | null, site: SiteDrawings, light: Palette['light']): string {
  const size = 280
  const place = { x: SHARE.width * 0.75 - size / 2, y: (SHARE.height - size) / 2, size }
  const tile =
    picture && !brand.isMarkInOneColor
      ? `<rect x="${place.x - 40}" y="${place.y - 40}" width="${size + 80}" height="${size + 80}" rx="18" fill="${light.tile}"/>`
      : ''
  return tile + markAt(brand, picture, site, { ...place, color: light.marigold })
}

/** The name in as many lines as it needs, in the largest size that leaves room. */
async function nameLines(name: string, { typefaces }: Brand): Promise<{ size: number; outlines: OutlinedText[] }> {
  const words = name.split(/\s+/)
  for (let size = SHARE.most; ; size -= 6) {
    const [space, ...measured] = await outlineText(['\u00a0', ...words], { typefaces, size })
    const lines: string[] = []
    let left = 0
    for (const [index, { width }] of measured.entries()) {
      if (width > left || lines.length === 0) {
        lines.push(words[index] ?? '')
        left = SHARE.nameWidth - width
      } else {
        lines.push(`${lines.pop()} ${words[index]}`)
        left -= width
      }
      left -= space?.width ?? 0
    }
    const fits = measured.every(({ width }) => width <= SHARE.nameWidth) && lines.length * size <= 330
    if (fits || size <= SHARE.least) return { size, outlines: await outlineText(lines, { typefaces, size }) }
  }
}

function markAt(
  { isMarkInOneColor }: Brand,
  picture: MarkPicture | null,
  { mark }: SiteDrawings,
  { color, ...place }: Place & { color: string },
): string {
  if (picture) return pictureAt(picture, place, isMarkInOneColor ? color : null)
  const paths = [...mark.matchAll(/<path[^>]*\/>/g)].map(([path]) => path).join('')
  return `<svg x="${place.x}" y="${place.y}" width="${place.size}" height="${place.size}" viewBox="0 0 64 64" fill="${color}">${paths}</svg>`
}

/** @param color of the shape; null for the picture's own colors */
function pictureAt({ contentType, bytes }: MarkPicture, { x, y, size }: Place, color: string | null): string {
  const id = `shape-${x}-${y}`
  const filter = color
    ? `<filter id="${id}" x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB"><feFlood flood-color="${color}"/><feComposite in2="SourceAlpha" operator="in"/></filter>`
    : ''
  const href = `data:${contentType};base64,${bytes.toString('base64')}`
  return `${filter}<image x="${x}" y="${y}" width="${size}" height="${size}" href="${href}"${color ? ` filter="url(#${id})"` : ''}/>`
}

function jaliOver(
  { x, width, height }: { x: number; width: number; height: number },
  { teal }: Palette['light'],
): string {
  return `<pattern id="jali" width="60" height="60" patternUnits="userSpaceOnUse" patternTransform="scale(2)"><path d="${JALI}" fill="${teal}"/></pattern><rect x="${x}" width="${width}" height="${height}" fill="url(#jali)" opacity="0.34"/>`
}

function garlandAlong(width: number, garland: string): string {
  const [, tileWidth = '1', tileHeight = '1'] = /width="(\d+)" height="(\d+)"/.exec(garland) ?? []
  const [inner = ''] = /(?<=<svg[^>]*>).*(?=<\/svg>)/s.exec(garland) ?? []
  return `<pattern id="garland" width="${tileWidth}" height="${tileHeight}" patternUnits="userSpaceOnUse">${inner}</pattern><rect width="${width}" height="${tileHeight}" fill="url(#garland)"/>`
}

function drawing({ width, height }: { width: number; height: number }, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppContext } from '#server/app-context.ts'
import { SHIPPED_BRAND, type Brand } from '#contract/brand/brand.ts'
import { paletteOf } from '#contract/brand/palette.ts'
import { ARTICLES_FOLDER, type StoredImage } from '#contract/public/media.ts'
import type { MediaStore } from '#server/media-store/media-store.ts'
import { writeSource, type PictureQueue } from '#server/media-store/pictures/picture-queue.ts'
import { ART_DIRECTORY } from '#server/media-store/pictures/site-illustrations.ts'
import type { FindBrandFile, BrandFile } from '#server/pages/brand-responses.ts'
import { unversionedUrl, type PicturesService } from '#server/features/media/pictures.service.ts'
import {
  faviconDrawing,
  iconDrawing,
  inBrandColors,
  shareDrawing,
  type MarkPicture,
  type SiteDrawings,
} from './brand-drawings.service.ts'

const PUBLIC_DIRECTORY = join(ART_DIRECTORY, '..')
const SVG = 'image/svg+xml; charset=utf-8'
/** Pages show the mark too, so it has to be small: a larger one is sent as a picture of this many pixels. */
const MOST_MARK_BYTES = 24 * 1024
const MARK_PIXELS = 128
/** The share of the mark is that of the shipped icons; a maskable icon may be cut to a circle. */
const ICONS: Record<string, { size: number; share: number }> = {
  '/apple-touch-icon.png': { size: 180, share: 0.58 },
  '/icon-192.png': { size: 192, share: 0.64 },
  '/icon-512.png': { size: 512, share: 0.64 },
  '/icon-maskable-512.png': { size: 512, share: 0.46 },
}
const BORDERS = ['/art/border-toran.svg', '/art/border-hem.svg']

export interface BrandFiles {
  find: FindBrandFile
  /** The bytes of a file, as the brand changes it or as it comes. */
  read(path: string): Promise<Buffer>
}

/** Makes the files that show the brand: icons, manifest, share card and borders. */
export function createBrandFiles(
  { cache, log }: Pick<AppContext, 'cache' | 'log'>,
  {
    pictures,
    store,
    workshop,
  }: { pictures: Pick<PicturesService, 'pictures'>; store: MediaStore; workshop: PictureQueue },
): BrandFiles {
  const made = new Map<string, { key: string; file: Promise<BrandFile> }>()

  function find(path: string): Promise<BrandFile> | null {
    const { name, brand } = cache.content().settings.association
    if (path === '/site.webmanifest') return Promise.resolve(manifest(name, brand ?? SHIPPED_BRAND))
    const make = makerOf(path, name, brand)
    return make && fileOf(path, name, brand ?? SHIPPED_BRAND, make)
  }

  /** Returns null for a path that the brand does not change. */
  function makerOf(path: string, name: string, brand: Brand | undefined): Maker | null {
    if (path === '/share.png')
      return async (own, picture, site) => png(await draw(await shareDrawing(name, own, picture, site)))
    if (!brand) return null
    const icon = ICONS[path]
    if (icon) return async (own, picture, site) => png(await draw(iconDrawing(own, picture, site, icon)))
    if (path === '/favicon.svg') return favicon
    if (BORDERS.includes(path))
      return async (own) => svg(inBrandColors(await readFile(join(PUBLIC_DIRECTORY, path), 'utf8'), own))
    return null
  }

  /** Made once for a brand and a version of its mark; again after a failure. */
  async function fileOf(path: string, name: string, brand: Brand, make: Maker): Promise<BrandFile> {
    const image = await findMark(brand)
    const key = JSON.stringify([name, brand, image?.url])
    const known = made.get(path)
    if (known?.key === key) return known.file
    const file = (async () => make(brand, image && (await readMark(image)), await readDrawings()))()
    made.set(path, { key, file })
    file.catch((error: unknown) => {
      log.error({ err: error, path }, 'a picture of the brand could not be made')
      if (made.get(path)?.file === file) made.delete(path)
    })
    return file
  }

  /** A mark that was deleted from the media library is replaced by the site's own. */
  async function findMark({ mark }: Brand): Promise<StoredImage | null> {
    if (mark === undefined) return null
    const images = await pictures.pictures(ARTICLES_FOLDER.bucket, ARTICLES_FOLDER.folder)
    return images.find((image) => unversionedUrl(image) === mark.split('?')[0]) ?? null
  }

  async function readMark({ filename }: StoredImage): Promise<MarkPicture> {
    const bytes = await store.read(ARTICLES_FOLDER.bucket, ARTICLES_FOLDER.folder, filename)
    return { bytes, contentType: filename.endsWith('.svg') ? 'image/svg+xml' : 'image/png' }
  }

  async function favicon(brand: Brand, picture: MarkPicture | null, site: SiteDrawings): Promise<BrandFile> {
    if (!picture) return svg(faviconDrawing(brand, null, site))
    const isSmall = picture.bytes.length <= MOST_MARK_BYTES
    if (isSmall && picture.contentType === 'image/svg+xml' && !brand.isMarkInOneColor) return svg(picture.bytes)
    const plain = { ...brand, isMarkInOneColor: undefined }
    const small: MarkPicture = isSmall
      ? picture
      : { contentType: 'image/png', bytes: await draw(sized(faviconDrawing(plain, picture, site))) }
    return svg(faviconDrawing(brand, small, site))
  }

  /** Draws an SVG as PNG in the process for pictures. */
  async function draw(drawing: string): Promise<Buffer> {
    return workshop.withSlot({ small: true }, async (slot) => {
      await writeSource(slot, Buffer.from(drawing))
      return slot.prepare({ kind: 'draw' }, async ({ files }) => files[0]?.bytes ?? Buffer.alloc(0))
    })
  }

  return {
    find,
    read: async (path) => (await find(path))?.body ?? readFile(join(PUBLIC_DIRECTORY, path)),
  }
}

type Maker = (brand: Brand, picture: MarkPicture | null, site: SiteDrawings) => Promise<BrandFile>

async function readDrawings(): Promise<SiteDrawings> {
  const [mark, garland] = await Promise.all(
    ['favicon.svg', 'art/border-toran.svg'].map((path) => readFile(join(PUBLIC_DIRECTORY, path), 'utf8')),
  )
  return { mark: mark ?? '', garland: garland ?? '' }
}

function manifest(name: string, brand: Brand): BrandFile {
  const { light } = paletteOf(brand)
  const icon = (file: string, size: number) => ({ src: file, sizes: `${size}x${size}`, type: 'image/png' })
  const content = {
    name,
    start_url: '/',
    display: 'browser',
    background_color: light.paper,
    theme_color: light.deep,
    icons: [
      icon('/icon-192.png', 192),
      icon('/icon-512.png', 512),
      { ...icon('/icon-maskable-512.png', 512), purpose: 'maskable' },
    ],
  }
  return {
    contentType: 'application/manifest+json; charset=utf-8',
    body: Buffer.from(`${JSON.stringify(content, null, 2)}\n`),
  }
}

function sized(drawing: string): string {
  return drawing.replace('width="64" height="64"', `width="${MARK_PIXELS}" height="${MARK_PIXELS}"`)
}

function svg(drawing: string | Buffer): BrandFile {
  return { contentType: SVG, body: Buffer.from(drawing) }
}

function png(body: Buffer): BrandFile {
  return { contentType: 'image/png', body }
}

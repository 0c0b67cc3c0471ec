import type { PublishedBrand } from '#contract/brand/brand.ts'
import { brandedUrl } from '#contract/brand/branded-url.ts'

/** The icons of the site, in the look of the association. */
export function IconLinks({ brand }: { brand: PublishedBrand | undefined }) {
  const url = (path: string) => brandedUrl(path, brand?.version)
  return (
    <>
      <link rel="icon" href={url('/favicon.svg')} type="image/svg+xml" />
      <link rel="apple-touch-icon" href={url('/apple-touch-icon.png')} />
      <link rel="manifest" href={url('/site.webmanifest')} />
    </>
  )
}
